import type { components } from '@gatehouse/client'
import { useApi } from '@gatehouse/plugin-kit/console'
import { useQuery } from '@tanstack/react-query'

export type Stats = components['schemas']['Stats']

/** The numbers of the dashboard; asked for once, whichever parts show them. */
export function useStats() {
  const call = useApi()
  return useQuery({ queryKey: ['stats'], queryFn: async () => (await call<{ data: Stats }>('GET', '/stats')).data })
}
