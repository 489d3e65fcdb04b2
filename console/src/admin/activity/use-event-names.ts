import { useApi } from '@gatehouse/plugin-kit/console'
import { useQuery } from '@tanstack/react-query'
import { eventNames } from './sentence.ts'

interface OpenApi {
  readonly components: { readonly schemas: { readonly EventName: { readonly enum: readonly string[] } } }
}

/** What can be chosen in a filter: also the events of plugins, once the API has told which of them are installed. */
export function useEventNames(): readonly string[] {
  const call = useApi()
  const { data = eventNames } = useQuery({
    queryKey: ['event-names'],
    queryFn: async () => {
      const { components } = await call<OpenApi>('GET', '/openapi.json')
      return [...new Set([...eventNames, ...components.schemas.EventName.enum])].toSorted()
    },
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data
}
