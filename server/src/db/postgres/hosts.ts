import pg from 'pg'
import { parseHosts } from './address.ts'
import type { Timeouts } from './timeouts.ts'

/** The host in use, of those that an address names. */
export interface Hosts {
  readonly count: number
  readonly timeouts: Timeouts
  readonly current: () => string
  /** Rises when connections that are open already must not be used any more. */
  readonly generation: () => number
  /**
   * This host cannot be reached, or takes no writes any more: connections are made anew, to the next one. Where any will do
   * (`target_session_attrs=any`) a host that takes no writes is kept: behind its address may be another one by now.
   */
  readonly leave: (url: string, generation: number, reason: 'unreachable' | 'read-only') => void
  /** Makes a connection to the current host, for pools. One that breaks fails its queries, and never ends the process. */
  readonly Client: typeof pg.Client
}

/** The server is a standby, or was made read-only. */
const readOnlyCode = '25006'

export function createHosts(address: string): Hosts {
  const { urls, attributes, timeouts } = parseHosts(address)
  let index = 0
  let generation = 0
  const current = () => urls[index] as string
  const leave: Hosts['leave'] = (url, of, reason) => {
    if (url !== current() || of !== generation) return
    generation++
    if (reason === 'unreachable' || attributes !== 'any') index = (index + 1) % urls.length
  }

  class HostClient extends pg.Client {
    readonly url: string
    readonly generation = generation

    constructor(config: pg.ClientConfig) {
      const url = current()
      super({ ...config, connectionString: url })
      this.url = url
      // A broken connection fails its query and also emits this event, which ends the process if nobody listens. The event can
      // come before the caller of `connect` is able to listen.
      this.on('error', () => {})
    }

    override connect(): Promise<pg.Client>
    override connect(callback: ((error: Error) => void) | ((error: null, client: pg.Client) => void)): void
    override connect(callback?: unknown): Promise<pg.Client> | undefined {
      const opened = this.#open()
      if (callback === undefined) return opened
      const done = callback as (error: Error | null, client?: pg.Client) => void
      opened.then(() => done(null, this), done)
      return undefined
    }

    async #open(): Promise<pg.Client> {
      try {
        await super.connect()
        if (attributes !== 'any') await this.#assertWritable()
        return this
      } catch (error) {
        if (urls.length > 1) leave(this.url, this.generation, 'unreachable')
        throw error
      }
    }

    async #assertWritable(): Promise<void> {
      const { rows } = await this.query(
        "select pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as closed",
      )
      if (rows[0]?.closed !== true) return
      await this.end()
      throw Object.assign(new Error('the server takes no writes'), { code: readOnlyCode })
    }
  }
  return { count: urls.length, timeouts, current, generation: () => generation, leave, Client: HostClient }
}

/** True if a connection was made before the host was left. */
export const isOutdated = (hosts: Hosts, client: object): boolean =>
  (client as { generation?: number }).generation !== hosts.generation()

/** Call it with every error of a connection: true if the connection must not be used any more. */
export function isLost(hosts: Hosts, client: object, error: unknown): boolean {
  const { code = '', severity } = error as { code?: string; severity?: string }
  if (code === readOnlyCode) {
    const { url, generation } = client as { url: string; generation: number }
    hosts.leave(url, generation, 'read-only')
    return true
  }
  // Errors from the server have a severity. After these of them it closes the connection.
  return severity === undefined || code.startsWith('57P0')
}
