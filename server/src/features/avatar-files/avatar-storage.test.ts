import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest'
import type { Context } from '../../core/context.ts'
import { isPostgres } from '../../db/dialect.ts'
import { type AvatarApp, startAvatarApp } from '../../testing/avatars.ts'
import { startHttpPeer } from '../../testing/http-peer.ts'
import { pictureOf } from '../../testing/images.ts'
import { removeUnusedAvatars } from './stored-avatars.ts'

let t: AvatarApp
beforeEach(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  onTestFinished(t.close)
})

const storeAt = (url: string) => ({ endpoint: url, region: 'us-east-1', accessKeyId: 'a', secretAccessKey: 'b' })

const filesOf = (avatar: string) => {
  const name = avatar.split('/').at(-1) as string
  return [name, name.replace('.webp', '-128.webp')].sort()
}
const avatarOf = async (id: number): Promise<string> => (await t.call(`GET /users/${id}`)).body.data.avatar

/** From now on the database refuses to change users. */
async function refuseChanges(): Promise<void> {
  const { unguarded: db } = t.ctx
  if (isPostgres(db)) {
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`.execute(db)
    await sql`create trigger refuse before update on users for each row execute function refuse()`.execute(db)
  } else {
    await sql`create trigger refuse before update on users begin select raise(abort, 'refused'); end`.execute(db)
  }
}

describe('the old picture', () => {
  it('is removed when a new one, an external one or the default replaces it', async () => {
    const { user } = await t.createUser()
    const first = (await t.upload(user.id, await pictureOf(1))).body.data.avatar
    expect(t.stored()).toEqual(filesOf(first))
    const second = (await t.upload(user.id, await pictureOf(2))).body.data.avatar
    expect(second).not.toBe(first)
    expect(t.stored()).toEqual(filesOf(second))
    expect((await t.fetch(first)).status).toBe(404)
    await t.call(`PUT /users/${user.id}/avatar/external`, { body: { url: 'https://a.example/b.png' } })
    expect(t.stored()).toEqual([])
    await t.upload(user.id, await pictureOf(3))
    expect(t.stored()).toHaveLength(2)
    await t.call(`DELETE /users/${user.id}/avatar`)
    expect(t.stored()).toEqual([])
  })

  it('stays while another user has the same picture', async () => {
    const { user: one } = await t.createUser()
    const { user: other } = await t.createUser()
    const picture = await pictureOf(4)
    const { avatar } = (await t.upload(one.id, picture)).body.data
    expect((await t.upload(other.id, picture)).body.data.avatar).toBe(avatar)
    expect(t.stored()).toEqual(filesOf(avatar))
    await t.call(`DELETE /users/${one.id}/avatar`)
    expect((await t.fetch(avatar)).status).toBe(200)
    await t.call(`DELETE /users/${other.id}`)
    expect(t.stored()).toEqual([])
  })

  it('stays the same when it is uploaded again', async () => {
    const { user } = await t.createUser()
    const picture = await pictureOf(5)
    const { avatar } = (await t.upload(user.id, picture)).body.data
    expect((await t.upload(user.id, picture)).body.data.avatar).toBe(avatar)
    expect(t.stored()).toEqual(filesOf(avatar))
  })

  it('is deleted with its user', async () => {
    const { user } = await t.createUser()
    await t.upload(user.id, await pictureOf(6))
    expect((await t.call(`DELETE /users/${user.id}`)).status).toBe(200)
    expect(t.stored()).toEqual([])
    expect(await t.ctx.unguarded.selectFrom('unused_avatars').selectAll().execute()).toEqual([])
  })

  it('is never missing and never left over while many users set and remove the same pictures in parallel', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => t.createUser()))
    const pictures = [await pictureOf(7), await pictureOf(8)]
    for (let round = 0; round < 6; round++) {
      const answers = await Promise.all(
        users.map(({ user }, at) =>
          (at + round) % 3 === 0
            ? t.call(`DELETE /users/${user.id}/avatar`)
            : t.upload(user.id, pictures[(at + round) % 2] as Buffer),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual(users.map(() => 200))
      const used = new Set<string>()
      for (const { user } of users) used.add(await avatarOf(user.id))
      used.delete('http://gatehouse.test/avatars/default.svg')
      expect(t.stored()).toEqual([...used].flatMap(filesOf).sort())
    }
  })
})

describe('a failure leaves the old picture and no file', () => {
  it('when the database refuses the change', async () => {
    const { user } = await t.createUser()
    const { avatar } = (await t.upload(user.id, await pictureOf(1))).body.data
    await refuseChanges()
    expect((await t.upload(user.id, await pictureOf(2))).status).toBe(500)
    expect(await avatarOf(user.id)).toBe(avatar)
    expect(t.stored()).toEqual(filesOf(avatar))
    expect(await t.ctx.unguarded.selectFrom('unused_avatars').selectAll().execute()).toEqual([])
  })

  it('when the file is no picture', async () => {
    const { user } = await t.createUser()
    const { avatar } = (await t.upload(user.id, await pictureOf(1))).body.data
    expect((await t.upload(user.id, Buffer.from('<svg/>'))).status).toBe(422)
    expect(await avatarOf(user.id)).toBe(avatar)
    expect(t.stored()).toEqual(filesOf(avatar))
  })

  it('when the storage is full, which is 503 with Retry-After', async () => {
    const { user } = await t.createUser()
    // A file in place of the folder: no write can succeed, whoever runs the tests.
    writeFileSync(join(t.folder, 'incoming'), '')
    const { status, headers, body } = await t.upload(user.id, await pictureOf(1))
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    expect(t.stored()).toEqual(['incoming'])
    expect(await avatarOf(user.id)).toContain('default.svg')
    await rm(join(t.folder, 'incoming'))
    expect((await t.upload(user.id, await pictureOf(1))).status).toBe(200)
  })

  it('and what a crash left is removed later, but nothing that is in use', async () => {
    const { user } = await t.createUser()
    const { avatar } = (await t.upload(user.id, await pictureOf(1))).body.data
    const [large = '', small = ''] = filesOf(avatar)
    // What a kill between writing a file and the commit leaves: the files, their note, and a partial one.
    const key = 'a'.repeat(64)
    writeFileSync(join(t.folder, `${key}.webp`), 'left behind')
    writeFileSync(join(t.folder, `${key}-128.webp`), 'left behind')
    const unfinished = join(t.folder, 'incoming', 'half')
    writeFileSync(unfinished, 'half')
    const anHourAgo = Date.now() / 1000 - 3700
    utimesSync(unfinished, anHourAgo, anHourAgo)
    const now = t.clock.now().getTime()
    const keyInUse = /[0-9a-f]{64}/.exec(avatar)?.[0] as string
    const notes = [key, keyInUse].map((noted) => ({ key: noted, since_ms: now }))
    await t.ctx.unguarded.insertInto('unused_avatars').values(notes).execute()

    await removeUnusedAvatars(t.ctx)
    expect(t.stored()).toHaveLength(4) // too young: an upload may be on its way
    t.clock.advance({ minutes: 11 })
    await removeUnusedAvatars(t.ctx)
    expect(t.stored()).toEqual([large, small].sort())
    expect(await t.ctx.unguarded.selectFrom('unused_avatars').selectAll().execute()).toEqual([])
  })

  it('and a removal that was killed while the clock was ahead keeps nobody from uploading that picture', async () => {
    const { user } = await t.createUser()
    const { avatar } = (await t.upload(user.id, await pictureOf(1))).body.data
    await t.call(`DELETE /users/${user.id}/avatar`)
    const key = /[0-9a-f]{64}/.exec(avatar)?.[0] as string
    const note = { key, since_ms: t.clock.now().getTime() + 3_600_000, generation: null }
    await t.ctx.unguarded.insertInto('unused_avatars').values(note).execute()
    expect((await t.upload(user.id, await pictureOf(1))).status).toBe(200)
  })

  it('and a storage that is away is asked once for all that is left, not for each picture', async () => {
    const peer = await startHttpPeer()
    peer.answer = () => ({ status: 403 })
    const ctx: Context = { ...t.ctx, config: { ...t.ctx.config, storage: storeAt(peer.url) } }
    const notes = ['a', 'b', 'c'].map((letter) => ({ key: letter.repeat(64), since_ms: 0, generation: letter }))
    await t.ctx.unguarded.insertInto('unused_avatars').values(notes).execute()
    for (const asked of [1, 2, 3]) {
      await removeUnusedAvatars(ctx)
      expect(peer.requests).toHaveLength(asked)
    }
    expect(new Set(peer.requests.map(({ path }) => path)).size).toBe(3) // what failed waits for its next turn
  })

  it('and a file that cannot be removed now is removed later', async () => {
    const { user } = await t.createUser()
    const { avatar } = (await t.upload(user.id, await pictureOf(1))).body.data
    const [large = ''] = filesOf(avatar)
    // A folder of that name: it cannot be removed as a file.
    await rename(join(t.folder, large), join(t.folder, 'aside'))
    mkdirSync(join(t.folder, large))
    writeFileSync(join(t.folder, large, 'x'), '')
    expect((await t.call(`DELETE /users/${user.id}/avatar`)).status).toBe(200)
    await rm(join(t.folder, large), { recursive: true })
    await rename(join(t.folder, 'aside'), join(t.folder, large))
    t.clock.advance({ minutes: 11 })
    await removeUnusedAvatars(t.ctx)
    expect(t.stored()).toEqual([])
  })
})

// asvs: 1.3.6, 13.2.4, 13.2.5
describe('an external avatar is never fetched', () => {
  it('so a canary server hears of 0 requests', async () => {
    const canary = await startHttpPeer()
    const { user } = await t.createUser()
    const { status } = await t.call(`PUT /users/${user.id}/avatar/external`, { body: { url: `${canary.url}/a.png` } })
    expect(status).toBe(422)
    // A canary server can only listen on loopback, which is no longer accepted: simulate an address that was set earlier.
    const setCanary = (path: string) =>
      t.ctx.unguarded
        .updateTable('users')
        .set({ avatar: canary.url + path })
        .where('id', '=', user.id)
        .execute()
    await setCanary('/a.png')
    await t.call(`GET /users/${user.id}`)
    await t.call('GET /users')
    await t.upload(user.id, await pictureOf(1))
    await setCanary('/b.png')
    await t.call(`DELETE /users/${user.id}/avatar`)
    await removeUnusedAvatars(t.ctx)
    expect(canary.requests).toEqual([])
  })
})
