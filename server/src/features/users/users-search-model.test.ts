import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { systemActor } from '../../core/context.ts'
import { accentlessForm } from '../../core/text.ts'
import { createTestApp } from '../../testing/app.ts'
import { insertUser } from '../accounts/users.queries.ts'
import type { UserRow } from '../accounts/users.table.ts'

const userCount = 200
const termCount = 300

/** Few characters of each kind, so that terms meet fields often: folding, compatibility, accents, wildcards, astral. */
const characters = [
  ...[...'łŁøæŒđnñňu'],
  ...[...'aAbeEéÉsSßẞſkK\u212aiIİıｅＥａ１ﬁ℃'],
  ...[...'σςΣάΆжЖ漢字かガｶﾞꭰᎠ𐐀𐐨😀👩'],
  ...[...'%_\\"\'*?()[]^-+:;,.@#& \u00a0\u00b4\u1e9b'],
  ...['\u0301', '\u0307', '\u0345', '\u200d', '\u001f'],
]
const text = fc.array(fc.constantFrom(...characters), { maxLength: 8 }).map((parts) => parts.join(''))
const person = fc.record({
  username: fc.option(text),
  first_name: fc.option(text),
  last_name: fc.option(text),
  mail: text,
})

const respell = [
  (piece: string) => piece,
  (piece: string) => piece.toUpperCase(),
  (piece: string) => piece.toLowerCase(),
  (piece: string) => piece.normalize('NFD'),
  (piece: string) => accentlessForm(piece),
  (piece: string) => piece.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, ''),
]

it(`finds exactly whom a plain substring comparison of the folded texts finds (${termCount} terms)`, async () => {
  const t = await createTestApp(inject('postgresUrl'))
  const people = fc.sample(person, { numRuns: userCount, seed: 20_261_120 })
  const stamps = { created_at: '2026-01-15 12:00:00', updated_at: '2026-01-15 12:00:00' }
  await t.ctx.transaction(systemActor, async (tx) => {
    for (const [n, { username, mail, ...names }] of people.entries()) {
      await insertUser(tx.db, {
        username: username === null ? null : `${n}:${username}`,
        email: `${n}:${mail}@x`,
        ...names,
        password_hash: 'none',
        role_id: 2,
        status: 'Active',
        ...stamps,
      })
    }
  })
  const rows: UserRow[] = await t.ctx.unguarded.selectFrom('users').selectAll().orderBy('id').execute()
  expect(rows).toHaveLength(userCount + 1)
  const fields = rows.map(({ username, first_name, last_name, email }) =>
    [username, first_name, last_name, email, [first_name, last_name].filter((part) => part !== null).join(' ')].map(
      (text) => text ?? '',
    ),
  )

  const pieceOfField = fc
    .record({ row: fc.nat(), field: fc.nat(4), from: fc.nat(8), length: fc.integer({ min: 1, max: 6 }) })
    .map(({ row, field, from, length }) => {
      const points = [...(fields[row % fields.length]?.[field] ?? '')]
      return points
        .slice(from % (points.length + 1))
        .slice(0, length)
        .join('')
    })
  const term = fc
    .tuple(
      fc.oneof({ arbitrary: pieceOfField, weight: 3 }, { arbitrary: text, weight: 1 }),
      fc.constantFrom(...respell),
    )
    .map(([piece, spell]) => spell(piece).trim())
    .filter((wanted) => wanted !== '')

  let matches = 0
  const check = async (wanted: string) => {
    const folded = accentlessForm(wanted).replaceAll('\u001f', ' ')
    const expected = rows
      .filter((_, n) => fields[n]?.some((field) => accentlessForm(field).replaceAll('\u001f', ' ').includes(folded)))
      .map(({ id }) => id)
    const found: number[] = []
    for (let page = 1, last = 1; page <= last; page++) {
      const query = `filter[search]=${encodeURIComponent(wanted)}&per_page=100&page=${page}`
      const { status, body } = await t.call(`GET /users?${query}`)
      expect([status, body.meta?.total]).toEqual([200, expected.length])
      found.push(...body.data.map((user: UserRow) => user.id))
      last = body.meta.last_page
    }
    expect(found).toEqual(expected)
    matches += expected.length
  }
  await fc.assert(fc.asyncProperty(term, check), { numRuns: termCount, seed: 20_261_120 })
  expect(matches).toBeGreaterThan(termCount) // the terms do match fields
})
