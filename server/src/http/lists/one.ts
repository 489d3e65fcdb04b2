import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import { type MaybePromise, thenAtOnce } from '../../core/maybe-promise.ts'
import { JsonAnswer } from '../json-answer.ts'
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

/** The same with what `findJson` finds, the shaped object as JSON, if it is given. Includes are added to objects. */
export function answerOneAsJson<Row, Item extends object>(
  ctx: Context,
  includes: Readonly<Record<string, Include<Row>>>,
  call: Pick<Call<unknown>, 'query'>,
  findJson: (() => MaybePromise<string | undefined>) | undefined,
  find: () => MaybePromise<Row | undefined>,
  toItem: (row: Row) => Item,
): MaybePromise<{ data: Item } | JsonAnswer> {
  const needsObject = findJson === undefined || parseIncludes(includes, call.query).length > 0
  if (needsObject) return answerOne(ctx, includes, call, find, toItem)
  return thenAtOnce(findJson(), (json) => {
    if (json === undefined) throw errors.not_found()
    return new JsonAnswer(`{"data":${json}}`)
  })
}
