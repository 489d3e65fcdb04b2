import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Contender } from './contenders.ts'
import { type Ask, type LoadResult, median, runLoad } from './load.ts'
import { type Bench, record, say, toMeasurement } from './measure.ts'

/* Cases that are more than a load on one contender after the other. */

const authorization = ({ own }: Contender, key = own?.copy.key) => ({ authorization: `Bearer ${key}` })

/** Restarts each contender once per round, then measures its idle memory. */
export async function startUp(bench: Bench): Promise<void> {
  const times = new Map<Contender, number[]>()
  for (let round = 0; round < bench.rounds; round++) {
    for (const contender of bench.contenders.values()) {
      await contender.server.stop()
      contender.server = await contender.start()
      times.set(contender, [...(times.get(contender) ?? []), contender.server.startMs])
    }
  }
  await pause(2000)
  for (const contender of bench.contenders.values()) {
    addFact(bench, contender, 'start', median(times.get(contender) ?? []), 'ms')
    addFact(bench, contender, 'memory idle', contender.server.memory().now, 'MB')
    if (contender.own === undefined) continue
    addFact(bench, contender, 'seed', contender.own.copy.seconds, 's')
    addFact(bench, contender, 'database', contender.own.copy.bytes / 1e6, 'MB')
  }
}

function addFact(bench: Bench, { name }: Contender, what: string, value: number, unit: string): void {
  bench.facts.push({ name: what, contender: name, value, unit })
  say(`  ${what.padEnd(38)} ${name.padEnd(13)} ${value.toFixed(1)} ${unit}`)
}

export async function memory(bench: Bench): Promise<void> {
  for (const contender of bench.contenders.values()) {
    addFact(bench, contender, 'memory peak', contender.server.memory().peak, 'MB')
  }
}

/** Every user appears once, on pages of 100. */
export async function cursorWalk(bench: Bench, contenders: readonly Contender[]): Promise<void> {
  for (const contender of contenders) {
    const total = (await contender.own?.count('1 = 1')) ?? Number.NaN
    const pages = Math.ceil(total / 100)
    const seen = new Set<number>()
    let cursor: string | null = ''
    const next = (index: number): Ask => ({
      method: 'GET',
      path: `/api/users?sort=last_name&per_page=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      headers: authorization(contender),
      label: index < pages / 10 ? 'first tenth' : index >= (pages * 9) / 10 ? 'last tenth' : 'between',
      check: (status, body) => {
        if (status !== 200) return 'expected 200'
        const { data, meta } = JSON.parse(body) as {
          data: { id: number }[]
          meta: { total: number; next_cursor: string | null }
        }
        for (const { id } of data) seen.add(id)
        cursor = meta.next_cursor
        return meta.total === total ? undefined : `total ${meta.total}, expected ${total}`
      },
    })
    const options = { port: contender.server.port, connections: 1, maxMs: Infinity, next }
    await runLoad({ ...options, maxCount: Math.min(500, pages - 1) }) // to warm up, then start again
    cursor = ''
    seen.clear()
    const result = await runLoad({ ...options, maxCount: pages })
    if (seen.size !== total || cursor !== null)
      throw new Error(`the walk of ${contender.name} saw ${seen.size} of ${total}`)
    for (const [variant, times] of result.byLabel) {
      record(bench, toMeasurement({ case: 'walk', variant, contender: contender.name }, [{ ...result, times }]))
    }
    bench.checks.push(`${contender.name}: the cursor walk saw each of ${total} users once.`)
  }
}

const argon2Rate = async (seconds: number): Promise<number> => {
  const program = join(import.meta.dirname, 'contenders/argon2.ts')
  return Number((await promisify(execFile)(process.execPath, [program, JSON.stringify({ seconds })])).stdout)
}

let tried = 0
/** A right and a wrong password of each user in turn, from a network of the user's own: from a new one, a mail is sent, too. */
export const loginNext =
  ({ api, truth }: Contender) =>
  (): Ask => {
    const nth = tried++
    const user = (nth >> 1) % truth.logins.length
    return api.login?.(truth.logins[user]?.email ?? '', nth % 2 === 0, user) as Ask
  }

/** Right and wrong passwords in turn, and Argon2id alone between the contenders. */
export async function loginCase(bench: Bench, contenders: readonly Contender[]): Promise<void> {
  const results = new Map<string, LoadResult[]>()
  const keep = (name: string, result: LoadResult) => results.set(name, [...(results.get(name) ?? []), result])
  for (let round = -1; round < bench.rounds; round++) {
    const seconds = round < 0 ? 0.3 * bench.seconds : bench.seconds
    const perSecond = await argon2Rate(seconds)
    if (round >= 0) keep('argon2', { count: 0, perSecond, times: [], byLabel: new Map(), busy: 0 })
    for (const contender of contenders) {
      const { name, api, server } = contender
      if (api.login === undefined || name.startsWith('bare')) continue
      const next = loginNext(contender)
      const result = await runLoad({ port: server.port, connections: 16, maxMs: seconds * 1000, next })
      if (round >= 0) keep(name, result)
    }
  }
  for (const [contender, of] of results) record(bench, toMeasurement({ case: 'login', variant: '', contender }, of))
}

async function totalOf(contender: Contender, query: string): Promise<number> {
  const url = `http://127.0.0.1:${contender.server.port}/api/users?per_page=1&${query}`
  const response = await fetch(url, { headers: authorization(contender) })
  return ((await response.json()) as { meta: { total: number } }).meta.total
}

/** While users are created, a total lies between the counts just before and just after it; afterwards it equals the count. */
export async function createTotals(bench: Bench, contender: Contender, next: () => Ask): Promise<void> {
  const count = contender.own?.count ?? (async () => Number.NaN)
  const like = contender.name === 'gatehouse' ? 'like' : 'ilike'
  const found = ['username', 'first_name', 'last_name', 'email']
    .map((column) => `${column} ${like} '%bench%'`)
    .join(' or ')
  const probes = [
    ['', '1 = 1'],
    ['filter[status]=Active', `status = 'Active'`],
    ['filter[search]=bench', found],
  ] as const
  const stop = new AbortController()
  const writes = runLoad({ port: contender.server.port, connections: 4, maxMs: 60_000, next, signal: stop.signal })
  let checked = 0
  const check = async () => {
    for (const [query, where] of probes) {
      const before = await count(where)
      const total = await totalOf(contender, query)
      const after = await count(where)
      if (total < before || total > after) {
        throw new Error(`${contender.name}: ?${query} said ${total}, COUNT ${before} before and ${after} after it`)
      }
      checked++
    }
  }
  try {
    for (const until = performance.now() + bench.seconds * 1000; performance.now() < until; ) await check()
  } finally {
    stop.abort()
  }
  const { count: made } = await writes
  for (const [query, where] of probes) {
    const [total, counted] = [await totalOf(contender, query), await count(where)]
    if (total !== counted) throw new Error(`${contender.name}: ?${query} says ${total}, COUNT ${counted}`)
  }
  bench.checks.push(
    `${contender.name}: ${checked} totals (all, by status, of a search) were exact while ${made} users were made, and afterwards.`,
  )
}

/** Creates that hash nothing: one node of PostgreSQL alone, then four of them at once. */
export async function createOnNodes(bench: Bench): Promise<void> {
  const contender = bench.contenders.get('gatehouse-pg')
  if (contender?.api.createBare === undefined) return
  const { createBare } = contender.api
  const settings = `http://127.0.0.1:${contender.server.port}/api/settings`
  const allow = (required: boolean) =>
    fetch(settings, {
      method: 'PATCH',
      headers: { ...authorization(contender), 'content-type': 'application/json' },
      body: JSON.stringify({ 'password.required': required }),
    })
  const answer = await allow(false)
  if (!answer.ok) throw new Error(`the settings answered ${answer.status}`)
  let made = 0
  const next = () => createBare(`node${Date.now().toString(36)}x${made++}`)
  const others = [await contender.start(), await contender.start(), await contender.start()]
  const four = [contender.server, ...others]
  const run = async (servers: typeof four): Promise<LoadResult> => {
    const loads = servers.map(({ port }) => runLoad({ port, connections: 8, maxMs: bench.seconds * 1000, next }))
    const results = await Promise.all(loads)
    const times = results.flatMap(({ times }) => times).sort((a, b) => a - b)
    const sum = (value: (result: LoadResult) => number) => results.reduce((total, result) => total + value(result), 0)
    return { count: times.length, perSecond: sum(({ perSecond }) => perSecond), times, byLabel: new Map(), busy: 0 }
  }
  try {
    const results = {
      'one node': [] as LoadResult[],
      'two nodes': [] as LoadResult[],
      'four nodes': [] as LoadResult[],
    }
    await run(four) // to warm up
    for (let round = 0; round < bench.rounds; round++) {
      results['one node'].push(await run(four.slice(0, 1)))
      results['two nodes'].push(await run(four.slice(0, 2)))
      results['four nodes'].push(await run(four))
    }
    for (const [variant, of] of Object.entries(results))
      record(bench, toMeasurement({ case: 'nodes', variant, contender: contender.name }, of))
  } finally {
    for (const server of others) await server.stop()
    await allow(true)
  }
}

/** On PostgreSQL: a key that one node revokes stops working at the next request on another node that has just used it. */
export async function revokedKey(bench: Bench): Promise<void> {
  const contender = bench.contenders.get('gatehouse-pg')
  if (contender === undefined) return
  const times = 20
  const other = await contender.start()
  const call = (port: number, method: string, path: string, key?: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}/api${path}`, {
      method,
      headers: { ...authorization(contender, key), ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
  try {
    for (let time = 0; time < times; time++) {
      const created = await call(contender.server.port, 'POST', '/api-keys', undefined, { name: `bench ${time}` })
      const { data } = (await created.json()) as { data: { id: number; key: string } }
      for (let use = 0; use < 3; use++) {
        const used = await call(other.port, 'GET', '/users/1', data.key)
        if (used.status !== 200) throw new Error(`a new key was answered ${used.status} by the second node`)
      }
      await call(contender.server.port, 'DELETE', `/api-keys/${data.id}`)
      const after = await call(other.port, 'GET', '/users/1', data.key)
      if (after.status !== 401) throw new Error(`a revoked key was answered ${after.status} by the second node`)
    }
    bench.checks.push(
      `gatehouse-pg: a key revoked on one node was dead at the next request on a second one, ${times} of ${times} times.`,
    )
    say(`  revoked: dead at the next request on a second node, ${times} of ${times} times`)
  } finally {
    await other.stop()
  }
}
