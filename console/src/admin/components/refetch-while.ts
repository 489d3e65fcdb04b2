interface Loaded<T> {
  readonly state: { readonly data?: { readonly data?: readonly T[] } | undefined }
}

/** `queryOptions` of a list that is fetched again as long as something on it is in progress. */
export const refetchWhile = <T>(isUnderWay: (one: T) => boolean, everyMs: number): object => ({
  refetchInterval: ({ state }: Loaded<T>) => (state.data?.data?.some(isUnderWay) === true ? everyMs : false),
})
