let last = '/users'

/** Keeps where the list was left (filters, sort and page), in memory alone: what was searched for is nobody else's business. */
export const rememberList = (search: string): void => {
  last = `/users${search}`
}

/** The way back to the list as it was left. */
export const listAddress = (): string => last
