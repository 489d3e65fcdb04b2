/** Makes a function on its first call, so that the start does not wait for what no request may ever need. */
export function onFirstUse<Argument, Result>(
  make: () => (argument: Argument) => Result,
): (argument: Argument) => Result {
  let made: ((argument: Argument) => Result) | undefined
  return (argument) => {
    made ??= make()
    return made(argument)
  }
}
