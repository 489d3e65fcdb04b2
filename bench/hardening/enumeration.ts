import type * as Processes from '../../server/src/testing/server-process.ts'
import { tellRemindersApart } from '../remind-timing.ts'
import { load, type Measure } from './measure.ts'

const isEven = (auc: number) => auc >= 0.45 && auc <= 0.55

export const enumeration: Measure = {
  promise: 'the duration of POST /password/remind does not reveal who has an account: AUC within 0.45 to 0.55',
  guards: {
    'answers in even time, and the same work for unknown addresses': [
      {
        file: 'features/password-reset/password-reset.service.ts',
        find: 'await inEvenTime(async () => {',
        replace: 'await (async (work: () => Promise<void>) => work())(async () => {',
      },
      {
        file: 'features/password-reset/password-reset.service.ts',
        find: 'await pretend(tx)',
        replace: 'if (user !== undefined) await pretend(tx)',
      },
    ],
  },
  take: async (stand) => {
    const { createInstallation, newKey } = await load<typeof Processes>(stand, 'testing/server-process.ts')
    const place = await createInstallation(stand.postgresUrl, { GATEHOUSE_ADMIN_API_KEY: newKey() }, stand.build.root)
    try {
      const pairs = stand.isShort ? 800 : 2_000
      const { auc, control } = await tellRemindersApart(place, { pairs, lanes: stand.isShort ? 4 : 1 })
      return {
        figure: `${pairs} pairs: AUC ${auc.toFixed(3)}; unknown against unknown ${control.toFixed(3)}`,
        holds: isEven(auc) && isEven(control),
      }
    } finally {
      await place.remove()
    }
  },
}
