import { expect, inject, it } from 'vitest'
import { inTransaction } from '../../db/transaction.ts'
import { createTestApp } from '../../testing/app.ts'
import { recordRoles, roleIds } from '../../testing/events.ts'
import { countRowsRead } from '../../testing/rows-read.ts'
import { batch, takeFinal } from './sequencer.ts'

it.skipIf(inject('postgresUrl') === null)('takes the next rows of a long log without reading the others', async () => {
  const t = await createTestApp(inject('postgresUrl'))
  await recordRoles(t, roleIds(6 * batch))
  await inTransaction(t.ctx.unguarded, async (db) => {
    const take = () => takeFinal(db, t.ctx.clock().getTime())
    expect(await countRowsRead(db, ['activity'], take)).toBeLessThanOrEqual(batch)
  })
})
