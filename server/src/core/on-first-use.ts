/** Makes a function when it is first called: the start of the server does not wait for what a request may never need. */
export function onFirstUse<Argument, Result>(
  make: () => (argument: Argument) => Result,
): (argument: Argument) => Result {
  let made: ((argument: Argument) => Result) | undefined
  return (argument) => {
    made ??= make()
    return made(argument)
  }
}
