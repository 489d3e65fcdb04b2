interface Loaded<T> {
  readonly state: { readonly data?: { readonly data?: readonly T[] } | undefined }
}

/** `queryOptions` of a list that is asked for again as long as something on it is under way. */
export const refetchWhile = <T>(isUnderWay: (one: T) => boolean, everyMs: number): object => ({
  refetchInterval: ({ state }: Loaded<T>) => (state.data?.data?.some(isUnderWay) === true ? everyMs : false),
})
