/** Makes a value for the first caller and gives it to all later ones. A failure is not kept: the next caller tries again. */
export function onceResolved<Arguments extends readonly unknown[], Result>(
  make: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  let made: Promise<Result> | undefined
  return (...given) => {
    made ??= make(...given).catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
