/** The trimmed parts of a header. Split at a pattern with spaces, a long header would cost quadratic time. */
export const partsOf = (header: string, separator: string): string[] =>
  header.split(separator).map((part) => part.trim())

/** The weight of a name in `Accept` or `Accept-Encoding` (RFC 9110 §12.4.2), 0 to 1; undefined if it is not there. 0 means no. */
function weightOfName(header: string, name: string): number | undefined {
  const weights = partsOf(header.toLowerCase(), ',').flatMap((part) => {
    const [own, ...parameters] = partsOf(part, ';')
    if (own !== name) return []
    const weight = Number(parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1')
    return Number.isNaN(weight) ? 0 : weight
  })
  return weights.length === 0 ? undefined : Math.max(...weights)
}

/** True if the header names this encoding or media type, and not with `q=0`. */
export const names = (header: string | undefined, name: string): boolean => (weightOfName(header ?? '', name) ?? 0) > 0

/** The weight of a media type, by the most specific range that matches (RFC 9110 §12.5.1). */
const weightOf = (accept: string, type: string): number =>
  weightOfName(accept, type) ?? weightOfName(accept, `${type.split('/')[0]}/*`) ?? weightOfName(accept, '*/*') ?? 0

const json = 'application/json'

/** True if `Accept` prefers this type, which it names, to JSON. */
export function prefersToJson(accept: string | undefined = '', type: string): boolean {
  if (!names(accept, type)) return false
  const [own, other] = [weightOf(accept, type), weightOf(accept, json)]
  return own > other || (own === other && !names(accept, json))
}

/** True if `Accept` takes this type as gladly as JSON, or takes anything and does not name JSON. */
export function takesLikeJson(accept: string | undefined = json, type: string): boolean {
  const own = weightOf(accept, type)
  if (own === 0) return false
  return names(accept, type) ? own >= weightOf(accept, json) : !names(accept, json)
}
