import {
  Box,
  Button,
  ConfirmDialog,
  Paper,
  Show,
  Title,
  Typography,
  useApi,
  useEffect,
  useGoOn,
  useMay,
  useNotify,
  useQueryClient,
  useShowContext,
  useState,
} from '@gatehouse/plugin-kit/console'
import { type Announcement, authorOf, dateOf, manage, managing, reading } from './announcement.ts'
import { Html } from './Html.tsx'
import { Back } from './icons.tsx'
import { MailPanel } from './MailPanel.tsx'
import { isGone, NotShown } from './NotShown.tsx'
import { useMarkRead } from './unread.tsx'

/** Whoever sees it has read it. */
function useRead({ id, read_state }: Announcement): void {
  const markRead = useMarkRead()
  const isUnread = read_state?.is_read === false
  useEffect(() => {
    if (isUnread) markRead([id]).catch(() => {}) // it stays unread, and is marked the next time
  }, [id, isUnread])
}

function Tools({ id, title }: Announcement) {
  const call = useApi()
  const goOn = useGoOn()
  const notify = useNotify()
  const queries = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const remove = async () => {
    await call('DELETE', `/announcements/${id}`)
    notify('The announcement was deleted.', { type: 'success' })
    goOn('/announcements')
    // The page of what is gone must not ask for it again.
    await queries.invalidateQueries({ queryKey: ['announcements'], refetchType: 'none' })
    await queries.invalidateQueries({ queryKey: ['announcements', 'unread'] })
  }
  return (
    <Box sx={{ display: 'flex', gap: 1 }}>
      <Button variant="outlined" href={`#/announcements/${id}`}>
        Edit
      </Button>
      <Button variant="outlined" color="error" onClick={() => setAsked(true)}>
        Delete
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title="Delete this announcement?"
          action="Delete"
          isDangerous
          onConfirm={remove}
          onClose={() => setAsked(false)}
        >
          “{title}” is gone for everybody. Of its mails, what was not sent is not sent any more.
        </ConfirmDialog>
      ) : null}
    </Box>
  )
}

function Article() {
  const { record: announcement, error } = useShowContext<Announcement>()
  const mayManage = useMay(manage)
  if (announcement === undefined || isGone(error)) return <NotShown error={error} />
  return <Loaded key={announcement.id} announcement={announcement} mayManage={mayManage} />
}

function Loaded({ announcement, mayManage }: { announcement: Announcement; mayManage: boolean }) {
  useRead(announcement)
  const { title, parsed_body, created_at, updated_at } = announcement
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: 2 }}>
      <Title title="Announcement" />
      <Box sx={{ display: 'flex', justifyContent: 'space-between', gap: 1, flexWrap: 'wrap' }}>
        <Button href="#/announcements" startIcon={<Back />} sx={{ color: 'text.secondary', ml: -1 }}>
          Announcements
        </Button>
        {mayManage ? <Tools {...announcement} /> : null}
      </Box>
      {mayManage ? <MailPanel announcement={announcement} /> : null}
      <Paper component="article" sx={{ px: { xs: 2, sm: 4 }, py: { xs: 2.5, sm: 4 }, minWidth: 0 }}>
        <Typography variant="h4" component="h2" sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </Typography>
        <Typography variant="caption" component="p" sx={{ mt: 0.75, mb: 3, overflowWrap: 'anywhere' }}>
          {authorOf(announcement)} · {dateOf(created_at)}
          {updated_at === created_at ? '' : ` · changed ${dateOf(updated_at)}`}
        </Typography>
        <Html html={parsed_body} title={`Text of ${title}`} />
      </Paper>
    </Box>
  )
}

/** One announcement, to be read; with what who manages them can do with it. */
export function AnnouncementShow() {
  const mayManage = useMay(manage)
  return (
    <Box sx={{ maxWidth: 820, mx: 'auto' }}>
      <Show
        component="div"
        actions={false}
        title={false}
        queryOptions={{ meta: mayManage ? managing : reading, onError: () => {} }}
      >
        <Article />
      </Show>
    </Box>
  )
}
