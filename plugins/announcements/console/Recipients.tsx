import { Skeleton, useApi, useQuery } from '@gatehouse/plugin-kit/console'
import { count } from './announcement.ts'

interface Reach {
  readonly count: number
  readonly unsubscribed: number
}

/** How many a mail would reach, counted anew each time that it is asked for. */
export function useRecipients(enabled: boolean): Reach | undefined {
  const call = useApi()
  const { data } = useQuery({
    queryKey: ['announcements', 'recipients'],
    queryFn: async () => (await call<{ data: Reach }>('GET', '/announcements/recipients')).data,
    enabled,
    staleTime: 0,
  })
  return data
}

/** Says it before anything is sent. */
export function Recipients({ recipients }: { recipients: Reach | undefined }) {
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
