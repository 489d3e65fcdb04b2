import type { Listed } from './api.ts'
import { createOnNodes, createTotals, cursorWalk, loginCase, memory, revokedKey, startUp } from './cases-own.ts'
import type { Contender, Name } from './contenders.ts'
import type { Ask } from './load.ts'
import { alternate, type Bench, type Entry, type Stream } from './measure.ts'
import { perPage, type Search, sorts } from './truth.ts'

export interface Case {
  readonly what: string
  readonly run: (bench: Bench) => Promise<void>
}

const all: readonly Name[] = ['gatehouse', 'bare', 'better-auth', 'gatehouse-pg', 'bare-pg']
/** Those that read by id and in lists. */
const readers: readonly Name[] = [...all, 'kysely-pg']
const ours: readonly Name[] = ['gatehouse', 'gatehouse-pg']

/** The participating contenders, in order. */
const present = (bench: Bench, names: readonly Name[]): Contender[] =>
  names.flatMap((name) => bench.contenders.get(name) ?? [])

/** True if the load generator may poll for answers to reads. Where there is a database server, it needs the other core itself. */
export const leavesACore = (name: Name): boolean => !name.endsWith('-pg')

/** In an order that jumps about. */
export const inTurn = (asks: readonly Ask[]) => (index: number) => asks[(index * 7919) % asks.length] as Ask

export const byId = (contender: Contender, connections: number): Stream => ({
  connections,
  next: inTurn(contender.truth.users.map(contender.api.byId)),
})

type Plan = (contender: Contender) => readonly (Ask | undefined)[]

/** A read of every contender that offers it. */
function reads(of: string, variant: string, plan: Plan, connections = 16, share = 1, names = all) {
  return async (bench: Bench) => {
    const entries = present(bench, names).flatMap((contender): Entry[] => {
      const asks = plan(contender).filter((ask) => ask !== undefined)
      if (asks.length === 0) return []
      // better-auth needs up to 0.3 s of its one thread for an answer: four connections keep it busy, sixteen would only make rounds long.
      const busy = contender.name === 'better-auth' ? Math.min(4, connections) : connections
      const sleepless = leavesACore(contender.name)
      return [{ case: of, variant, contender, connections: busy, next: inTurn(asks), share, sleepless }]
    })
    await alternate(bench, entries)
  }
}

const searched = ({ api }: Contender, { term, status, sort, ...expected }: Search): Ask | undefined => {
  const asked: Listed = { search: term, ...(status && { status }), ...(sort && { sort }) }
  return api.list(asked, expected)
}

async function lists(bench: Bench): Promise<void> {
  for (const sort of sorts) {
    await reads('list', sort, ({ api, truth }) => [api.list({ sort }, truth.first[sort])], 16, 0.25, readers)(bench)
  }
}

/** First and last page of each sort, one after the other on one connection. */
async function deepPages(bench: Bench): Promise<void> {
  const entries = present(bench, all).map((contender): Entry => {
    const { api, truth } = contender
    const page = Math.ceil(truth.total / perPage)
    const asks = sorts.flatMap((sort) => [
      api.list({ sort }, truth.first[sort], `${sort}, first`),
      api.list({ sort, page }, truth.last[sort], `${sort}, last`),
    ])
    const offered = asks.filter((ask) => ask !== undefined)
    const next = (index: number) => offered[index % offered.length] as Ask
    return { case: 'deep', variant: '', contender, connections: 1, next, minCount: offered.length, share: 0.5 }
  })
  await alternate(bench, entries)
}

let made = 0
const createNext =
  ({ api }: Contender) =>
  () =>
    api.create(`bench${Date.now().toString(36)}x${made++}`)
const userAt = ({ truth }: Contender, index: number) =>
  truth.users[(index * 7919) % truth.users.length] as { id: number }
const renameNext = (contender: Contender) => (index: number) =>
  contender.api.rename(userAt(contender, index), `Bench ${made++}`)
export const moveNext = (contender: Contender) => (index: number) =>
  contender.api.move(userAt(contender, index), `Bench Street ${made++}`) as Ask

async function creates(bench: Bench): Promise<void> {
  await alternate(
    bench,
    present(bench, all).map((contender) => ({
      case: 'create',
      variant: '',
      contender,
      connections: 8,
      next: createNext(contender),
      share: 0.5,
    })),
  )
  for (const contender of present(bench, ours)) await createTotals(bench, contender, createNext(contender))
}

async function updates(bench: Bench): Promise<void> {
  const update = (variant: string, connections: number, names: readonly Name[], nextOf: typeof renameNext) =>
    alternate(
      bench,
      present(bench, names).map((contender) => ({
        case: 'update',
        variant,
        contender,
        connections,
        next: nextOf(contender),
        share: 0.5,
      })),
    )
  const movers = all.filter((name) => name !== 'better-auth')
  await update('address', 8, movers, moveNext)
  await update('address, one connection', 1, movers, moveNext)
  await update('name', 8, all, renameNext)
}

async function mixed(bench: Bench): Promise<void> {
  const entries = present(bench, all).map((contender) => {
    const read = byId(contender, 16).next
    const write = renameNext(contender)
    const next = (index: number): Ask => (index % 10 === 9 ? write(index) : read(index))
    return { case: 'mixed', variant: '', contender, connections: 16, next, share: 0.5 }
  })
  await alternate(bench, entries)
}

let tried = 0
/** Wrong passwords, for existing users and unknown names in turn. */
const floodNext =
  ({ api, truth }: Contender) =>
  () => {
    const nth = tried++
    const known = truth.logins[(nth >> 1) % truth.logins.length]?.email ?? ''
    return api.login?.(nth % 2 === 0 ? known : `nobody${nth}@example.com`, false, nth) as Ask
  }

/** By id over four connections: alone, and beside each of the streams. */
function meanwhile(of: string, streams: (contender: Contender) => Record<string, Stream>) {
  return async (bench: Bench) => {
    for (const contender of present(bench, ours)) {
      const reader = { case: of, contender, ...byId(contender, 4) }
      const beside = Object.entries(streams(contender)).map(([variant, stream]) => ({
        ...reader,
        variant,
        meanwhile: stream,
      }))
      await alternate(bench, [{ ...reader, variant: 'alone' }, ...beside])
    }
  }
}

const one = (ask: Ask | undefined): Stream => ({ connections: 1, next: () => ask as Ask })

/** In the order in which they run: writes after reads. */
export const cases: Readonly<Record<string, Case>> = {
  start: { what: 'start-up time and idle memory', run: startUp },
  'by-id': {
    what: 'GET /users/{id}',
    run: (bench) =>
      alternate(
        bench,
        present(bench, [...readers, 'node-http']).map((contender) => ({
          case: 'by-id',
          variant: '',
          contender,
          ...byId(contender, 16),
          sleepless: leavesACore(contender.name),
        })),
      ),
  },
  list: { what: 'the first 20 in each sort with the exact total', run: lists },
  narrow: {
    what: 'a search that few users match',
    run: reads(
      'narrow',
      '',
      (contender) => contender.truth.narrow.map((search) => searched(contender, search)),
      16,
      0.5,
    ),
  },
  broad: {
    what: 'a search that about 4 % match, one at a time',
    run: reads('broad', '', (contender) => [searched(contender, contender.truth.broad)], 1, 0.5),
  },
  short: {
    what: 'searches of one and two characters, one at a time',
    run: async (bench) => {
      await reads('short', 'two', (contender) => [searched(contender, contender.truth.two)], 1, 0.5)(bench)
      await reads('short', 'one', (contender) => [searched(contender, contender.truth.one)], 1, 0.5)(bench)
    },
  },
  filtered: {
    what: 'search, status and sort together',
    run: reads('filtered', '', (contender) => [searched(contender, contender.truth.filtered)], 1, 0.5),
  },
  deep: { what: 'first and last page of each sort', run: deepPages },
  walk: { what: 'a cursor walk through all users', run: (bench) => cursorWalk(bench, present(bench, ours)) },
  meanwhile: {
    what: 'by id under a stream of broad and of two-character searches',
    run: meanwhile('meanwhile', (contender) => ({
      'broad searches': one(searched(contender, contender.truth.broad)),
      'two-character searches': one(searched(contender, contender.truth.two)),
    })),
  },
  'login-flood': {
    what: 'by id during a flood of wrong passwords over 64 connections',
    run: meanwhile('login-flood', (contender) => ({ flood: { connections: 64, next: floodNext(contender) } })),
  },
  login: { what: 'sign-ins, against the raw Argon2id rate', run: (bench) => loginCase(bench, present(bench, all)) },
  update: { what: 'PATCH /users/{id}: a field that is searched, and one that is not', run: updates },
  'update-load': {
    what: 'by id during 500 updates a second',
    run: meanwhile('update-load', (contender) => ({
      updates: { connections: 16, perSecond: 500, next: moveNext(contender) },
    })),
  },
  mixed: { what: '90 % by id, 10 % updates', run: mixed },
  create: { what: 'POST /users, and totals meanwhile against COUNT', run: creates },
  nodes: { what: 'creates that hash nothing: one node on PostgreSQL, two and four', run: createOnNodes },
  revoked: { what: 'a revoked key on a second node', run: revokedKey },
  // `pages`: budgets of the console's pages (first paint, bytes, sign-in to list, search as you type), measured with Playwright.
  memory: { what: 'memory after all that ran before', run: memory },
}
