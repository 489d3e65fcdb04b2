const longest = 64

/** User input for an error message: quoted and truncated. */
export const excerpt = (text: string | number): string => {
  const shown = String(text)
  return JSON.stringify(shown.length > longest ? `${shown.slice(0, longest).toWellFormed()}…` : text)
}
