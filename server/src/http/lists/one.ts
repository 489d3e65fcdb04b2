import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { type MaybePromise, thenAtOnce } from '../../core/maybe-promise.ts'
import type { Call } from '../route.ts'
import { attachIncludes } from './answer.ts'
import { parseIncludes } from './request.ts'
import type { Include } from './spec.ts'

/** Answers a request for one object: shapes its row and adds the includes. Throws `not_found` if there is no row. */
export function answerOne<Row, Item extends object>(
  ctx: Context,
  includes: Readonly<Record<string, Include<Row>>>,
  { query }: Pick<Call<unknown>, 'query'>,
  find: () => MaybePromise<Row | undefined>,
  toItem: (row: Row) => Item,
): MaybePromise<{ data: Item }> {
  const names = parseIncludes(includes, query)
  return thenAtOnce(find(), (row) => {
    if (row === undefined) throw errors.not_found()
    const data = toItem(row)
    if (names.length === 0) return { data }
    return attachIncludes(ctx, includes, names, [row], [data]).then(() => ({ data }))
  })
}
