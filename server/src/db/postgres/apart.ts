import type pg from 'pg'
import type { Apart } from '../direct.ts'
import type { Hosts } from './hosts.ts'

/** Opens a connection outside of the pool, which no timeout and no watchdog ends. */
export async function openApart(config: pg.ClientConfig, hosts: Hosts): Promise<Apart> {
  for (let tries = 1; ; ) {
    const client = new hosts.Client(config)
    try {
      await client.connect()
      return {
        query: async (text, values = []) => (await client.query(text, [...values])).rows,
        end: () => client.end(),
      }
    } catch (error) {
      client.end().catch(() => {})
      if (tries++ >= hosts.count) throw error
    }
  }
}
