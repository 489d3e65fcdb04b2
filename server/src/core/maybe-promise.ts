/** A value, or a promise of one. SQLite answers synchronously, and on the hot path a promise costs as much as the query. */
export type MaybePromise<T> = T | Promise<T>

/** Continues with the value, synchronously if it is already there. For the hot path only; elsewhere use `await`. */
export const thenAtOnce = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
