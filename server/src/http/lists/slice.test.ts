import { expect, inject, it } from 'vitest'
import { createTestApp } from '../../testing/app.ts'
import { planOnSqlite } from '../../testing/query-plan.ts'
import { concat, fragment, whereAll } from './fragment.ts'
import { selectSlice } from './slice.ts'

it.runIf(inject('postgresUrl') === null)(
  'a cursor among rows with the same value starts behind it in the index, and no more than its page is sorted',
  async () => {
    const t = await createTestApp(null)
    const from = 'select id, last_login from users indexed by users_last_login'
    const query = selectSlice(
      [
        { name: 'last_login', column: 'last_login', type: 'text', isNullable: true, descending: false },
        { name: 'id', column: 'id', type: 'number', descending: false },
      ],
      { after: ['', 500_000], reversed: false, skip: 0, limit: 20 },
      (conditions) => concat(fragment(from), whereAll(conditions)),
    )
    const plan = await planOnSqlite(t.ctx.unguarded, query)
    expect(plan).toContainEqual(expect.stringContaining('users_last_login (<expr>=? AND id>?)'))
    expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toHaveLength(1)
  },
)
