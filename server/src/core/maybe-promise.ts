/** A value that is there, or will be: SQLite answers at once, and at each of these places a promise costs as much as the rest. */
export type MaybePromise<T> = T | Promise<T>

/** Goes on with the value, at once where it is there. For what every request goes through; elsewhere `await` reads better. */
export const thenAtOnce = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)
