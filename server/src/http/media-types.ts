export type BodyKind = 'json' | 'urlencoded form' | 'multipart form' | 'other'

/**
 * Parameters other than the charset (`profile`, `odata.metadata`) change nothing. Two parts that both match spaces never
 * meet, or a long header would cost quadratic time.
 */
const token = String.raw`[\w!#$%&'*+.^|~-]+`
const other = String.raw`(?!charset\b)${token}=(?:${token}|"[^"\\]*")`
const parameters = (charset: string) => String.raw`(?:\s*;\s*(?:charset\s*=\s*"?${charset}"?|${other}))*(?:\s*;)?\s*$`
/** RFC 8259 allows no other charset than UTF-8. */
const json = new RegExp(
  String.raw`^(?:(?:application|text)\/json|application\/[\w!#$%&'*.^|~-]+\+json)${parameters('utf-?8')}`,
  'i',
)
/** Its charset means nothing (WHATWG URL, section 5); some libraries always write ISO-8859-1. The decoder refuses what is not UTF-8. */
const urlencoded = new RegExp(String.raw`^application\/x-www-form-urlencoded${parameters(token)}`, 'i')
const multipart = /^multipart\/form-data\s*(?:;|$)/i

/** The type of a body by its Content-Type header; JSON without one. */
export function kindOf(contentType: string | undefined): BodyKind {
  if (contentType === undefined || contentType === 'application/json' || contentType === '') return 'json'
  if (json.test(contentType)) return 'json'
  if (urlencoded.test(contentType)) return 'urlencoded form'
  return multipart.test(contentType) ? 'multipart form' : 'other'
}

export const isForm = (kind: BodyKind): boolean => kind === 'urlencoded form' || kind === 'multipart form'
