import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { useNames, WithNames } from '../activity/names.tsx'
import { type Activity, Sentence } from '../activity/Sentence.tsx'
import { ListBody } from '../components/ListBody.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { listAddress } from '../list-address.ts'
import type { TabProps } from './tab.ts'

interface Page {
  readonly data: Activity[]
  readonly meta: { readonly next_cursor: string | null }
}

/** What the user did, and what was done to the account, newest first. */
export function ActivityTab({ user }: TabProps) {
  const { data, isPending, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['users', 'activity', user.id],
    queryFn: ({ pageParam }) =>
      call<Page>('GET', `/users/${user.id}/activity`, {
        query: { per_page: 20, ...(pageParam === null ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: Page) => last.meta.next_cursor,
  })
  const rows = data?.pages.flatMap((page) => page.data) ?? []
  const names = useNames(rows)
  const search = (
    <Button
      component={Link}
      to={listAddress('activity', { subject_type: 'user', subject_id: user.id })}
      variant="outlined"
    >
      Search in the activity
    </Button>
  )
  return (
    <WithNames names={names}>
      <Section
        title="Activity"
        description="What the user did, and what was done to the account."
        flush
        action={search}
      >
        <ListBody isPending={isPending || names === undefined} error={error} none="Nothing has happened yet.">
          {rows.map((activity) => (
            <Box
              component="li"
              key={activity.id}
              sx={{ display: 'flex', gap: 2, px: 2.5, py: 1.25, borderTop: '1px solid', borderColor: 'divider' }}
            >
              <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
                <Sentence activity={activity} />
                {activity.ip_address === null ? null : (
                  <Typography variant="caption" component="p">
                    From {activity.ip_address}
                  </Typography>
                )}
              </Box>
              <Typography variant="caption" sx={{ flexShrink: 0 }}>
                <RelativeTime value={activity.created_at} />
              </Typography>
            </Box>
          ))}
        </ListBody>
        {hasNextPage ? (
          <Box sx={{ p: 1.5, borderTop: '1px solid', borderColor: 'divider', textAlign: 'center' }}>
            <Button variant="outlined" onClick={() => fetchNextPage()} disabled={isFetchingNextPage}>
              Show more
            </Button>
          </Box>
        ) : null}
      </Section>
    </WithNames>
  )
}
