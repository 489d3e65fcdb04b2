import type { TestApp } from '../../testing/app.ts'

export const withKey = (key: string, more: object = {}) => ({ headers: { 'idempotency-key': key }, ...more })

/** How many roles have a name that begins with `start`. */
export const rolesNamed = async (t: TestApp, start: string): Promise<number> => {
  const roles = await t.ctx.db.selectFrom('roles').select('name').where('name', 'like', `${start}%`).execute()
  return roles.length
}

/** Runs `act` instead of the next transaction; `run` starts the transaction. */
export function onNextTransaction(app: TestApp, act: (run: () => Promise<unknown>) => Promise<unknown>): void {
  const { transaction } = app.ctx
  const replaced: typeof transaction = (actor, work) => {
    Object.assign(app.ctx, { transaction })
    return act(() => transaction(actor, work)) as never
  }
  Object.assign(app.ctx, { transaction: replaced })
}

/** Blocks the next transaction until it is released. */
export function holdNextTransaction(app: TestApp) {
  const reached = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  onNextTransaction(app, async (run) => {
    reached.resolve()
    await gate.promise
    return run()
  })
  return { reached: reached.promise, open: gate.resolve }
}
