import type { Context } from '../core/context.ts'

type Transaction = Context['transaction']

/** Replaces both ways to change anything: that of requests, and that of long work. */
export function wrapTransactions({ ctx }: { ctx: Context }, wrap: (transaction: Transaction) => Transaction): void {
  const { transaction, backgroundTransaction } = ctx
  Object.assign(ctx, { transaction: wrap(transaction), backgroundTransaction: wrap(backgroundTransaction) })
}
