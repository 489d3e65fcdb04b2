import type { components } from '@gatehouse/client'
import { useOnce } from '@gatehouse/plugin-kit/console'
import Good from '@mui/icons-material/CheckCircleOutlined'
import Bad from '@mui/icons-material/HighlightOffOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import Switch from '@mui/material/Switch'
import Typography from '@mui/material/Typography'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { eventTitle } from '../activity/sentence.ts'
import { Code } from '../components/Code.tsx'
import { ListBody } from '../components/ListBody.tsx'
import { relativeTime, toDate } from '../components/RelativeTime.tsx'
import { Row } from '../components/Row.tsx'
import { Section } from '../components/Section.tsx'
import { call } from '../data-provider.ts'
import { formatNumber } from '../numbers.ts'
import { Health } from './Health.tsx'
import { type Attempt, isTaken, resultOf, type Webhook } from './webhook.ts'

type Details = components['schemas']['WebhookAttemptDetails']

function RetryButton({ path }: { path: string }) {
  const notify = useNotify()
  const client = useQueryClient()
  const [retry, isBusy] = useOnce(async () => {
    try {
      await call('POST', `${path}/retry`)
      notify('The message is sent again.', { type: 'success' })
      await client.invalidateQueries({ queryKey: ['webhooks', 'attempts'] })
    } catch (error) {
      notify((error as Error).message, { type: 'error' })
    }
  })
  return (
    <Button variant="outlined" onClick={retry} disabled={isBusy} sx={{ justifySelf: 'start' }}>
      Send again
    </Button>
  )
}

/** What was sent, and what was answered. */
function Exchange({ path, mayRetry }: { path: string; mayRetry: boolean }) {
  const { data, error } = useQuery({
    queryKey: ['webhooks', 'attempt', path],
    queryFn: async () => (await call<{ data: Details }>('GET', path)).data,
  })
  if (error !== null) return <Typography color="error">{error.message}</Typography>
  if (data === undefined) return <Typography color="text.secondary">Loading…</Typography>
  const { request, answer, error: problem, message_id } = data
  return (
    <Box sx={{ display: 'grid', gap: 1.5, mt: 1.5, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Code label="Message ID" text={message_id} />
      {request === null ? (
        <Typography color="text.secondary">The event is not kept any more.</Typography>
      ) : (
        <Code label="Request" text={request} />
      )}
      {problem === null ? null : <Code label="Error" text={problem} />}
      {answer === null ? null : <Code label="Answer" text={answer === '' ? '(empty)' : answer} />}
      {mayRetry && request !== null ? <RetryButton path={path} /> : null}
    </Box>
  )
}

function AttemptRow({ webhook, attempt }: { webhook: Webhook; attempt: Attempt }) {
  const [isOpen, setOpen] = useState(false)
  const path = `/webhooks/${webhook.id}/attempts/${attempt.id}`
  const when = toDate(attempt.created_at)
  const line = (
    <>
      {resultOf(attempt)} after {formatNumber(attempt.duration_ms)} ms ·{' '}
      <time dateTime={when.toISOString()}>{relativeTime(when)}</time>
    </>
  )
  const show = (
    <Button onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
      {isOpen ? 'Hide' : 'Show'}
    </Button>
  )
  return (
    <Row
      icon={isTaken(attempt) ? Good : Bad}
      iconColor={isTaken(attempt) ? 'success.main' : 'error.main'}
      title={eventTitle(attempt.type)}
      lines={[line]}
      action={show}
    >
      {isOpen ? <Exchange path={path} mayRetry={webhook.enabled} /> : null}
    </Row>
  )
}

interface Page {
  readonly data: Attempt[]
  readonly meta: { readonly next_cursor: string | null }
}

/** How many the health shows; the list shows the first of them. */
const asked = 60
const step = 10
const refetchMs = 3_000

/** The latest attempts, with request and answer; each message can be sent again. */
export function Attempts({ webhook }: { webhook: Webhook }) {
  const [shown, setShown] = useState(step)
  const [isFailed, setFailed] = useState(false)
  const { data, isPending, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['webhooks', 'attempts', webhook.id, isFailed],
    queryFn: ({ pageParam }) =>
      call<Page>('GET', `/webhooks/${webhook.id}/attempts`, {
        query: {
          per_page: asked,
          ...(isFailed ? { 'filter[success]': 'false' } : {}),
          ...(pageParam === null ? {} : { cursor: pageParam }),
        },
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: Page) => last.meta.next_cursor,
    // Whoever reads older ones does not wait for new ones.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : refetchMs),
  })
  const attempts = data?.pages.flatMap((page) => page.data) ?? []
  const showMore = () => {
    if (shown + step > attempts.length && hasNextPage) fetchNextPage()
    setShown(shown + step)
  }
  const failuresOnly = (
    <FormControlLabel
      control={<Switch checked={isFailed} onChange={(_, isOn) => setFailed(isOn)} />}
      label="Failures only"
    />
  )
  return (
    <Section title="Attempts" description="Those of the last 30 days, the newest first." flush action={failuresOnly}>
      {isFailed ? null : <Health attempts={attempts.slice(0, asked)} />}
      <ListBody
        isPending={isPending}
        error={error}
        none={isFailed ? 'Nothing has failed.' : 'Nothing has been sent yet.'}
      >
        {attempts.slice(0, shown).map((attempt) => (
          <AttemptRow key={attempt.id} webhook={webhook} attempt={attempt} />
        ))}
      </ListBody>
      {shown < attempts.length || hasNextPage ? (
        <Box sx={{ px: 2.5, py: 1.5, borderTop: '1px solid', borderColor: 'divider' }}>
          <Button onClick={showMore} disabled={isFetchingNextPage}>
            Show more
          </Button>
        </Box>
      ) : null}
    </Section>
  )
}
