/** A 2xx that is not from the API, which answers with another type: from a captive portal, or a proxy's sign-in page. */
export const isForeign = ({ ok, headers }: Response, type = 'application/json'): boolean =>
  ok && headers.get('content-type')?.startsWith(type) !== true
