/** Compared without case and accents: “cote” finds Côte d’Ivoire. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()

/** How well a name matches what was typed: 0 begins with it, 1 has a word that does, 2 contains it, 3 each of its words; undefined: no match. */
export function rankOf(name: string, typed: string): number | undefined {
  const [text, wanted] = [plain(name), plain(typed)]
  const at = text.indexOf(wanted)
  if (at < 0) return wanted.split(/\s+/).every((word) => text.includes(word)) ? 3 : undefined
  if (at === 0) return 0
  return text.split(/[\s\-–(,.’']+/).some((word) => word.startsWith(wanted)) ? 1 : 2
}

/** The choices that match what was typed, best first; equals keep their order. */
export const ranked = <T>(items: readonly T[], typed: string, nameOf: (item: T) => string): T[] =>
  typed.trim() === ''
    ? [...items]
    : items
        .map((item) => ({ item, rank: rankOf(nameOf(item), typed) }))
        .filter(({ rank }) => rank !== undefined)
        .toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
        .map(({ item }) => item)
