import type * as Processes from '../../server/src/testing/server-process.ts'
import { load, type Measure } from './measure.ts'
import { readWritten, writeRoles } from './write-roles.ts'

const clients = 8

export const kills: Measure = {
  promise: 'when the process is killed during writes, no answered one is lost and none is half there',
  guards: {
    'a write is answered after its commit': [
      {
        file: 'core/transaction.ts',
        find: '      await actor.origin.claim?.settle(db, result)',
        replace: `      early.resolve(result)
      await new Promise((later) => setTimeout(later, 20))
      await actor.origin.claim?.settle(db, result)`,
      },
      {
        file: 'core/transaction.ts',
        find: '    const commit = () => inTransaction(db, perform, transaction)',
        replace: `    const early = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
    const commit = () => {
      inTransaction(db, perform, transaction).catch(early.reject)
      return early.promise
    }`,
      },
    ],
    'an event is written with its change': [
      {
        file: 'core/transaction.ts',
        find: '      if (recorded.length > 0) await events.write(db, recorded)',
        replace: '',
      },
      {
        file: 'core/transaction.ts',
        find: '    if (outbox?.hasWritten() === true) ctx.outbox.wake()',
        replace: `    if (recorded.length > 0) {
      await new Promise((later) => setTimeout(later, 20))
      await inTransaction(db, (late) => events.write(late, recorded))
    }`,
      },
    ],
  },
  take: async (stand) => {
    const { createInstallation, newKey } = await load<typeof Processes>(stand, 'testing/server-process.ts')
    const place = await createInstallation(stand.postgresUrl, { GATEHOUSE_ADMIN_API_KEY: newKey() }, stand.build.root)
    const rounds = stand.isShort ? 5 : stand.rounds
    const answered = new Set<string>()
    try {
      for (let round = 0; round < rounds; round++) {
        const server = await place.start()
        const count = 10 + ((round * 17) % 60)
        await writeRoles(server, { clients, count, label: `${round}`, answered }, () => {
          server.process.kill('SIGKILL')
        })
        await server.stop('SIGKILL')
      }
      const { names, halfWritten } = await readWritten(await place.start())
      const lost = [...answered].filter((name) => !names.has(name)).length
      const figure = `${rounds} kills, ${answered.size} answered writes, ${lost} lost; of ${names.size} there, ${halfWritten} half`
      return { figure, holds: lost + halfWritten === 0 }
    } finally {
      await place.remove()
    }
  },
}
