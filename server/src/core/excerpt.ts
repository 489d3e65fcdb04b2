const longest = 64
const most = 10

/** User input for an error message: quoted and truncated. */
export const excerpt = (text: string | number): string => {
  const shown = String(text)
  return JSON.stringify(shown.length > longest ? `${shown.slice(0, longest).toWellFormed()}…` : text)
}

/** The same for a list: at most its first ten texts. */
export const excerpts = (texts: readonly string[]): string => {
  const shown = texts.slice(0, most).map(excerpt)
  return [...shown, ...(texts.length > most ? ['…'] : [])].join(', ')
}
