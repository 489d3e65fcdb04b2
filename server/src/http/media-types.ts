export type BodyKind = 'json' | 'urlencoded form' | 'multipart form' | 'other'

/**
 * No charset, or UTF-8: RFC 8259 allows no other, and modern forms use no other. Other parameters (`profile`, `odata.metadata`)
 * change nothing. Two parts that both match spaces never meet, or a long header would cost quadratic time.
 */
const token = String.raw`[\w!#$%&'*+.^|~-]+`
const other = String.raw`(?!charset\b)${token}=(?:${token}|"[^"\\]*")`
const utf8 = String.raw`(?:\s*;\s*(?:charset\s*=\s*"?utf-?8"?|${other}))*(?:\s*;)?\s*$`
const json = new RegExp(String.raw`^(?:(?:application|text)\/json|application\/[\w!#$%&'*.^|~-]+\+json)${utf8}`, 'i')
const urlencoded = new RegExp(String.raw`^application\/x-www-form-urlencoded${utf8}`, 'i')
const multipart = /^multipart\/form-data\s*(?:;|$)/i

/** The type of a body by its Content-Type header; JSON without one. */
export function kindOf(contentType: string | undefined): BodyKind {
  if (contentType === undefined || contentType === 'application/json' || contentType === '') return 'json'
  if (json.test(contentType)) return 'json'
  if (urlencoded.test(contentType)) return 'urlencoded form'
  return multipart.test(contentType) ? 'multipart form' : 'other'
}

export const isForm = (kind: BodyKind): boolean => kind === 'urlencoded form' || kind === 'multipart form'
