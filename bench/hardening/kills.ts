import type * as Processes from '../../server/src/testing/server-process.ts'
import { load, type Measure } from './measure.ts'

const clients = 8

export const kills: Measure = {
  promise: 'no answered write is lost when the process is killed during others',
  guards: {
    'a write is answered after its commit': [
      {
        file: 'core/transaction.ts',
        find: `    const result = await inTransaction(
      ctx.unguarded,`,
        replace: `    const early = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
    inTransaction(
      ctx.unguarded,`,
      },
      {
        file: 'core/transaction.ts',
        find: '        await actor.origin.claim?.settle(db, result)',
        replace: `        early.resolve(result)
        await new Promise((later) => setTimeout(later, 20))
        await actor.origin.claim?.settle(db, result)`,
      },
      {
        file: 'core/transaction.ts',
        find: `      transaction,
    )`,
        replace: `      transaction,
    ).catch(early.reject)
    const result = await early.promise`,
      },
    ],
  },
  take: async (stand) => {
    const { createInstallation, newKey } = await load<typeof Processes>(stand, 'testing/server-process.ts')
    const place = await createInstallation(stand.postgresUrl, { GATEHOUSE_ADMIN_API_KEY: newKey() }, stand.build.root)
    const rounds = stand.isShort ? 5 : 100
    const answered = new Set<string>()
    try {
      for (let round = 0; round < rounds; round++) {
        const server = await place.start()
        const enough = answered.size + 10 + ((round * 17) % 60)
        let isKilled = false
        const write = async (client: number): Promise<void> => {
          for (let number = 0; !isKilled; number++) {
            const name = `Role ${round} ${client} ${number}`
            const { status } = await server.call('POST /roles', { body: { name } })
            if (status === 201) answered.add(name)
            if (answered.size < enough) continue
            isKilled = true
            server.process.kill('SIGKILL')
          }
        }
        const untilGone = (client: number) =>
          write(client).catch((error) => {
            if (!isKilled) throw error
          })
        await Promise.all(Array.from({ length: clients }, (_, client) => untilGone(client)))
        await server.stop('SIGKILL')
      }
      const server = await place.start()
      const there = new Set<string>()
      for (let page = 1; ; page++) {
        const { body } = await server.call(`GET /roles?per_page=100&page=${page}`)
        for (const { name } of body.data) there.add(name)
        if (body.data.length < 100) break
      }
      const lost = [...answered].filter((name) => !there.has(name)).length
      return { figure: `${rounds} kills, ${answered.size} answered writes, ${lost} lost`, holds: lost === 0 }
    } finally {
      await place.remove()
    }
  },
}
