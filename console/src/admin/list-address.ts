/** The address of a list that is filtered so. */
export const listAddress = (resource: string, filter: object): string =>
  `/${resource}?filter=${encodeURIComponent(JSON.stringify(filter))}`
