import { find, findFact, type Size, speedRatio } from './results.ts'
import { sorts } from './truth.ts'

/** The speed targets of the project, beside the measured figures. */
export interface Target {
  readonly what: string
  readonly target: string
  readonly measured: string
  readonly verdict: string
}

const places = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2))

function compare(
  what: string,
  sign: '≥' | '≤',
  limit: number,
  unit: string,
  value: number | undefined,
  note = '',
): Target {
  const space = unit === '' ? '' : ' '
  const target = `${sign} ${limit}${space}${unit}`
  if (value === undefined || Number.isNaN(value)) return { what, target, measured: 'not measured', verdict: '' }
  const isMet = sign === '≥' ? value >= limit : value <= limit
  const off = sign === '≥' ? 1 - value / limit : value / limit - 1
  const missed = off > 1 ? `**missed: ${places(value / limit)} times it**` : `**missed by ${(100 * off).toFixed(0)} %**`
  return { what, target, measured: `${places(value)}${space}${unit}${note}`, verdict: isMet ? 'met' : missed }
}

const ratio = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : a / b

/** The worst measured figure and its name. */
function worst(pick: 'min' | 'max', values: readonly (readonly [string, number | undefined])[]) {
  const known = values.filter((each): each is readonly [string, number] => each[1] !== undefined)
  const sorted = known.sort((a, b) => (pick === 'min' ? a[1] - b[1] : b[1] - a[1]))
  return { value: sorted[0]?.[1], note: sorted[0] === undefined ? '' : ` (worst: ${sorted[0][0]})` }
}

const rate = (size: Size | undefined, of: string, variant: string, contender: string) =>
  find(size, of, variant, contender)?.perSecond

const inUsers = (users: number): string =>
  users % 1e6 === 0 ? `${users / 1e6} M` : users % 1e3 === 0 ? `${users / 1e3} k` : String(users)

/** Of the largest measured size; better-auth with 100,000 users, if measured. Sizes of other commits are not compared with it. */
export function findTargets(all: readonly Size[]): readonly Target[] {
  const large = all.at(-1)
  const sizes = all.filter(({ commit }) => commit === large?.commit)
  const small = sizes[0]
  if (large === undefined || small === undefined) return []
  const others = sizes.find(({ users }) => users === 100_000) ?? large
  const of = inUsers(large.users)
  const against = inUsers(others.users)
  const perSort = (a: string, b: string, size = large) =>
    worst(
      'min',
      sorts.map((sort) => {
        const [one, other] = [find(large, 'list', sort, a), find(size, 'list', sort, b)]
        return [sort, size === large ? speedRatio(one, other) : ratio(one?.perSecond, other?.perSecond)] as const
      }),
    )
  const overBare = (name: string, variant: string, postgres = '') =>
    speedRatio(find(large, name, variant, `gatehouse${postgres}`), find(large, name, variant, `bare${postgres}`))
  const lists = perSort('gatehouse', 'bare')
  const listsOverBetterAuth = perSort('gatehouse', 'better-auth', others)
  const listsPostgres = perSort('gatehouse-pg', 'bare-pg')
  const p99 = (name: string, variant: string, contender: string) => find(large, name, variant, contender)?.p99
  const p50 = (name: string, variant: string, contender: string) => find(large, name, variant, contender)?.p50
  const deep = (contender: string) =>
    worst(
      'max',
      sorts.map(
        (sort) =>
          [sort, ratio(p50('deep', `${sort}, last`, contender), p50('deep', `${sort}, first`, contender))] as const,
      ),
    )
  const growth = (name: string, variant: string) =>
    small === large
      ? undefined
      : ratio(rate(small, name, variant, 'gatehouse'), rate(large, name, variant, 'gatehouse'))
  const listGrowth = worst(
    'max',
    sorts.map((sort) => [sort, growth('list', sort)] as const),
  )
  const grown = small === large ? '' : ` from ${inUsers(small.users)} to ${of}`
  const fact = (name: string, contender = 'gatehouse') => findFact(large, name, contender)
  const both = [
    ['SQLite', 'gatehouse'],
    ['PostgreSQL', 'gatehouse-pg'],
  ] as const
  return [
    compare(`by id, ${of}, of bare`, '≥', 0.7, '', overBare('by-id', '')),
    compare(
      `by id, ${of}, over better-auth at ${against}`,
      '≥',
      40,
      '×',
      ratio(rate(large, 'by-id', '', 'gatehouse'), rate(others, 'by-id', '', 'better-auth')),
    ),
    compare(`list of 20, any sort, ${of}, of bare`, '≥', 0.75, '', lists.value, lists.note),
    compare(
      `list of 20, any sort, ${of}, over better-auth at ${against}`,
      '≥',
      40,
      '×',
      listsOverBetterAuth.value,
      listsOverBetterAuth.note,
    ),
    compare(`narrow search, ${of}, of bare`, '≥', 0.6, '', overBare('narrow', '')),
    ...both.flatMap(([database, contender]) => [
      compare(`broad search, ${of}, ${database}, median`, '≤', 15, 'ms', p50('broad', '', contender)),
      compare(`two-character search, ${of}, ${database}, median`, '≤', 150, 'ms', p50('short', 'two', contender)),
      compare(
        `by id under broad searches, ${of}, ${database}, p99`,
        '≤',
        20,
        'ms',
        p99('meanwhile', 'broad searches', contender),
      ),
      compare(
        `by id under two-character searches, ${of}, ${database}, p99`,
        '≤',
        20,
        'ms',
        p99('meanwhile', 'two-character searches', contender),
      ),
      compare(
        `last page over first, any sort, ${of}, ${database}`,
        '≤',
        5,
        '×',
        deep(contender).value,
        deep(contender).note,
      ),
      compare(
        `cursor pages, last tenth over first, ${of}, ${database}`,
        '≤',
        1.2,
        '×',
        ratio(p50('walk', 'last tenth', contender), p50('walk', 'first tenth', contender)),
      ),
    ]),
    compare(`growth${grown}: by id`, '≤', 1.2, '×', growth('by-id', '')),
    compare(`growth${grown}: list`, '≤', 1.3, '×', listGrowth.value, listGrowth.note),
    compare(`growth${grown}: narrow search`, '≤', 2, '×', growth('narrow', '')),
    compare(`PostgreSQL, ${of}, of bare: by id`, '≥', 0.7, '', overBare('by-id', '', '-pg')),
    compare(`PostgreSQL, ${of}, of bare: list`, '≥', 0.75, '', listsPostgres.value, listsPostgres.note),
    compare(`PostgreSQL, ${of}, of bare: narrow search`, '≥', 0.7, '', overBare('narrow', '', '-pg')),
    compare(`PostgreSQL, ${of}, of bare: broad search`, '≥', 0.7, '', overBare('broad', '', '-pg')),
    ...both.flatMap(([database, contender]) => [
      compare(
        `logins, ${database}, of raw Argon2id`,
        '≥',
        contender === 'gatehouse' ? 0.95 : 0.92,
        '',
        speedRatio(find(large, 'login', '', contender), find(large, 'login', '', 'argon2')),
      ),
      compare(
        `by id during a flood of logins, ${database}, p99`,
        '≤',
        50,
        'ms',
        p99('login-flood', 'flood', contender),
      ),
    ]),
    ...both.flatMap(([database, contender]) => {
      const postgres = contender === 'gatehouse' ? '' : '-pg'
      const updated = (variant: string) => overBare('update', variant, postgres)
      const isPostgres = postgres !== ''
      return [
        compare(`update, ${of}, ${database}, of bare`, '≥', isPostgres ? 0.6 : 2, '', updated('address')),
        ...(isPostgres
          ? []
          : [compare(`the same over one connection`, '≥', 0.6, '', updated('address, one connection'))]),
        compare(
          `update of what is searched, ${of}, ${database}, of bare`,
          '≥',
          isPostgres ? 0.6 : 1,
          '',
          updated('name'),
        ),
        compare(`mixed 90/10, ${of}, ${database}, of bare`, '≥', 0.7, '', overBare('mixed', '', postgres)),
        compare(
          `by id during 500 updates a second, ${of}, ${database}, p99`,
          '≤',
          10,
          'ms',
          p99('update-load', 'updates', contender),
        ),
      ]
    }),
    compare(
      `creates that hash nothing, four nodes on PostgreSQL over one`,
      '≥',
      3,
      '×',
      ratio(rate(large, 'nodes', 'four nodes', 'gatehouse-pg'), rate(large, 'nodes', 'one node', 'gatehouse-pg')),
    ),
    compare(`start with ${of}`, '≤', 1000, 'ms', fact('start')),
    compare('memory, idle', '≤', 150, 'MB', fact('memory idle')),
    compare('memory, at most under load', '≤', 250, 'MB', fact('memory peak')),
    compare(`seed ${of}, SQLite`, '≤', 60, 's', fact('seed')),
    compare(`seed ${of}, PostgreSQL`, '≤', 120, 's', fact('seed', 'gatehouse-pg')),
  ]
}
