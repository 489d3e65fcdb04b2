const maxCauses = 5

/** The messages of what caused an error, on one line: fetch says only that it failed. */
export function causesOf({ cause }: Error): string {
  const messages: string[] = []
  for (let next = cause; next instanceof Error && messages.length < maxCauses; next = next.cause) {
    // Where all addresses of a host refuse, the error has no message of its own.
    const [first] = next instanceof AggregateError ? next.errors : []
    messages.push(next.message || (first instanceof Error ? first.message : next.name))
  }
  return messages.join(': ').replaceAll(/\s+/g, ' ')
}
