const longest = 64

/** What somebody sent, for a message that names it: quoted, and cut where nobody reads on. */
export const excerpt = (text: string | number): string => {
  const shown = String(text)
  return JSON.stringify(shown.length > longest ? `${shown.slice(0, longest).toWellFormed()}…` : text)
}
