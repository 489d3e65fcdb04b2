/** A value that is there, or will be: SQLite answers at once, and at each of these places a promise costs as much as the rest. */
export type Soon<T> = T | Promise<T>

/** Goes on with the value, at once where it is there. For what every request goes through; elsewhere `await` reads better. */
export const soon = <T, R>(value: Soon<T>, next: (value: T) => Soon<R>): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value)
