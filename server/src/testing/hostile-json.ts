/** JSON of a size that costs as much as that size can. */
const filled = (bytes: number, open: string, piece: string, close: string): string =>
  open + piece.repeat(Math.max(0, Math.floor((bytes - open.length - close.length) / piece.length))) + close

const ofKeys = (count: number, bytes: number): string => {
  const key = (index: number) => String(index).padEnd(Math.max(4, Math.floor(bytes / count) - 6), 'k')
  return `{${Array.from({ length: count }, (_, index) => `"${key(index)}":1`).join(',')}}`
}

/** Beyond what a request may hold, though it is not too large: 422, and never parsed. */
export const excessiveJson = (bytes: number): Record<string, string> => ({
  'nested lists': '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'nested lists, left open': '['.repeat(bytes),
  'nested objects': filled(bytes, '', '{"a":', ''),
  'nested in an unknown field': `{"no_such":${'['.repeat(bytes / 2 - 8)}${']'.repeat(bytes / 2 - 8)}}`,
  'nine containers': `${'[{"a":'.repeat(4)}[]${'}]'.repeat(4)}`,
  '1,001 keys': ofKeys(1_001, 1),
  'as many keys as there is room for': ofKeys(Math.floor(bytes / 12), 1),
  'keys in many objects': filled(bytes, '[', '{"a":1},', '{}]'),
  'a wide list': filled(bytes, '[', '1,', '1]'),
  'a wide list in a field': filled(bytes, '{"permissions":[', '[],', '[]]}'),
})

/** As large as may be, and within every limit: read to the end. */
export const largeJson = (bytes: number): Record<string, string> => ({
  'a long text': filled(bytes, '{"email":"', 'a', '"}'),
  'a text of escapes': filled(bytes, '{"first_name":"', '\\u00e9', '"}'),
  'a text of escaped quotes': filled(bytes, '{"name":"', '\\"', '"}'),
  'an address of many labels': filled(bytes, '{"email":"a@', 'a.', 'a"}'),
  'a URL of many letters': filled(bytes / 2, '{"url":"http://', 'ü', '"}'),
  'a long number': filled(bytes, '{"country_id":', '9', '}'),
  'a long fraction': filled(bytes, '{"role_id":0.', '0', '1}'),
  '1,000 long keys': ofKeys(1_000, bytes - 8_000),
  'a list as long as may be': filled(24_000, '{"permissions":[', '1,', '1]}'),
  'lists of texts': filled(36_000, '{"ids":[', '"",', '""]}'),
  'eight containers': `${'[{"a":'.repeat(3)}[[]]${'}]'.repeat(3)}`,
  'no JSON at its very end': filled(bytes, '{"email":"', 'a', '"}x'),
})
