import { LoadError, Skeleton, useApi, useQuery } from '@gatehouse/plugin-kit/console'
import { count } from './announcement.ts'

interface Reach {
  readonly count: number
  readonly unsubscribed: number
}

/** How many a mail would reach, counted each time that it is asked for. */
export function useRecipients(enabled: boolean): { recipients: Reach | undefined; error: Error | null } {
  const call = useApi()
  const { data, error } = useQuery({
    queryKey: ['announcements', 'recipients'],
    queryFn: async () => (await call<{ data: Reach }>('GET', '/announcements/recipients')).data,
    enabled,
    staleTime: 0,
  })
  return { recipients: data, error }
}

/** Says it before anything is sent. */
export function Recipients({ recipients, error }: ReturnType<typeof useRecipients>) {
  if (recipients === undefined && error !== null) return <LoadError error={error} what="The number of people" />
  if (recipients === undefined) return <Skeleton width="70%" />
  const { count: many, unsubscribed } = recipients
  if (many === 0) return <>Nobody would get it: there is no active user who wants announcements by mail.</>
  return (
    <>
      <strong>{count(many, 'person', 'people')}</strong> will get it by mail, with the text as it is now. It can be sent
      only once.
      {unsubscribed === 0
        ? ''
        : ` ${count(unsubscribed, 'person has', 'people have')} unsubscribed and will not get it.`}
    </>
  )
}
