/** What a parameter's value must be, by its name. */
export type KnownParameters = Readonly<Record<string, RegExp>>

/** A part of a password that has a stray `?` in it must not be shown as the name of a parameter. */
const isShown = (name: string, { search }: URL): boolean => /^[\w.-]{1,40}$/.test(name) && !search.includes('@')

/**
 * Finds what is wrong with the parameters of an address: an unknown one, one that is given twice, or a wrong value; also a
 * fragment, and port 0. Undefined if nothing is.
 */
export function findExcess(url: URL, known: KnownParameters): string | undefined {
  const names = [...url.searchParams.keys()]
  const list = Object.keys(known).join(', ')
  const unknown = names.find((name) => !Object.hasOwn(known, name))
  if (unknown !== undefined)
    return `${isShown(unknown, url) ? `"${unknown}"` : 'one of its parameters'} is unknown there; known are ${list}`
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `${twice} is given twice`
  const wrong = names.find((name) => !known[name]?.test(url.searchParams.get(name) ?? ''))
  if (wrong !== undefined) return `the value of ${wrong} is wrong`
  if (url.hash !== '') return 'it has a #, which is written %23'
  return url.port === '0' ? 'nothing can be reached at port 0' : undefined
}
