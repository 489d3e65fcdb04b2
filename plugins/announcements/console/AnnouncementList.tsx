import {
  Box,
  Button,
  DataTable,
  EmptyState,
  List,
  Paper,
  SearchInput,
  TextInput,
  TopToolbar,
  Typography,
  useCallback,
  useEffect,
  useListContext,
  useMay,
  useMediaQuery,
  useNotify,
  useOnce,
  useState,
} from '@gatehouse/plugin-kit/console'
import {
  type Announcement,
  addressOf,
  authorOf,
  dateOf,
  excerptOf,
  type Mails,
  manage,
  managing,
  reading,
} from './announcement.ts'
import { Megaphone, Plus } from './icons.tsx'
import { Subscription } from './Subscription.tsx'
import { useMarkRead, useUnread } from './unread.tsx'

const filters = [
  <SearchInput key="title" source="title" alwaysOn placeholder="Search titles" />,
  <TextInput key="body" source="body" label="In the text" />,
]

interface Listed {
  /** Called once it is known what there is. */
  readonly onListed: () => void
}

function Actions({ onListed }: Listed) {
  const { isPending } = useListContext()
  useEffect(() => {
    if (!isPending) onListed()
  }, [isPending, onListed])
  const { unread } = useUnread()
  const markRead = useMarkRead()
  const notify = useNotify()
  const [readAll, isBusy] = useOnce(() =>
    markRead().then(
      () => notify('All announcements are marked as read.', { type: 'success' }),
      (error: Error) => notify(error.message, { type: 'error' }),
    ),
  )
  return (
    <TopToolbar>
      {unread === 0 ? null : (
        <Button variant="outlined" onClick={readAll} disabled={isBusy} sx={{ flexShrink: 0 }}>
          Mark all as read
        </Button>
      )}
      {useMay(manage) ? (
        <Button variant="contained" href="#/announcements/create" startIcon={<Plus />} sx={{ flexShrink: 0 }}>
          New announcement
        </Button>
      ) : null}
    </TopToolbar>
  )
}

function Empty({ onListed }: Listed) {
  useEffect(onListed, [onListed])
  const mayManage = useMay(manage)
  return (
    <EmptyState
      icon={Megaphone}
      title="No announcements yet"
      action={
        mayManage ? (
          <Button variant="contained" href="#/announcements/create" startIcon={<Plus />}>
            New announcement
          </Button>
        ) : undefined
      }
    >
      {mayManage
        ? 'Write one for everybody who has an account. You can have it sent by mail, too.'
        : 'What there is to know for everybody will stand here.'}
    </EmptyState>
  )
}

const Dot = () => (
  <Box
    component="span"
    role="img"
    aria-label="Unread"
    sx={{ display: 'inline-block', width: 8, height: 8, borderRadius: '50%', bgcolor: 'primary.main', flexShrink: 0 }}
  />
)

const isUnread = ({ read_state }: Announcement): boolean => read_state?.is_read === false

/** One below the other, to be read. */
function Feed() {
  const { data = [] } = useListContext<Announcement>()
  return (
    <Box component="ul" sx={{ listStyle: 'none', m: 0, p: 0 }}>
      {data.map((announcement) => (
        <Box
          component="li"
          key={announcement.id}
          sx={{
            position: 'relative',
            px: 2.5,
            py: 2,
            overflowWrap: 'anywhere',
            '& + &': { borderTop: '1px solid', borderColor: 'divider' },
            '&:hover': { bgcolor: 'action.hover' },
          }}
        >
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
            {isUnread(announcement) ? <Dot /> : null}
            <Typography
              component="a"
              href={addressOf(announcement)}
              sx={{
                fontWeight: isUnread(announcement) ? 650 : 550,
                color: 'text.primary',
                textDecoration: 'none',
                overflowWrap: 'anywhere',
                '&::after': { content: '""', position: 'absolute', inset: 0 },
              }}
            >
              {announcement.title}
            </Typography>
          </Box>
          <Typography variant="caption" component="p">
            {authorOf(announcement)} · {dateOf(announcement.created_at)}
          </Typography>
          <Typography color="text.secondary" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
            {excerptOf(announcement)}
          </Typography>
        </Box>
      ))}
    </Box>
  )
}

const Title = (announcement: Announcement) => (
  <Box sx={{ display: 'flex', alignItems: 'center', gap: 1 }}>
    {isUnread(announcement) ? <Dot /> : null}
    <Typography
      component="a"
      href={addressOf(announcement)}
      noWrap
      sx={{
        fontWeight: 550,
        color: 'text.primary',
        textDecoration: 'none',
        '&:hover': { textDecoration: 'underline' },
      }}
    >
      {announcement.title}
    </Typography>
  </Box>
)

function mailed(mails: Mails | null | undefined): string {
  if (mails == null) return '–'
  const { status, total, queued, sent } = mails
  if (status === 'running') return `Sending, ${Math.round(((total - queued) / Math.max(1, total)) * 100)} %`
  return `${status === 'cancelled' ? 'Stopped after' : 'Sent to'} ${sent.toLocaleString('en')}`
}

const Author = (announcement: Announcement) => (
  <Typography noWrap variant="inherit" sx={{ maxWidth: 180 }}>
    {authorOf(announcement)}
  </Typography>
)

/** The title has the width that the others leave. */
const columns = {
  '& .MuiTableCell-root': { whiteSpace: 'nowrap' },
  '& .MuiTableCell-root:first-of-type': { width: '100%', maxWidth: 0 },
}

/** For who writes them. */
const Table = () => (
  <DataTable rowClick="show" bulkActionButtons={false} sx={columns}>
    <DataTable.Col source="title" render={Title} />
    <DataTable.Col label="Author" render={Author} />
    <DataTable.Col source="created_at" label="Published" render={({ created_at }) => dateOf(created_at)} />
    <DataTable.Col label="By mail" render={({ notifications }) => mailed(notifications)} />
  </DataTable>
)

/** What there is to read, newest first; who writes announcements sees a table with more. */
export function AnnouncementList() {
  const mayManage = useMay(manage)
  const [isListed, setListed] = useState(false)
  const onListed = useCallback(() => setListed(true), [])
  const isWide = useMediaQuery('(min-width: 900px)', { noSsr: true })
  return (
    <Box sx={{ maxWidth: mayManage ? 1200 : 820, mx: 'auto' }}>
      <List
        title="Announcements"
        filters={filters}
        actions={<Actions onListed={onListed} />}
        empty={<Empty onListed={onListed} />}
        sort={{ field: 'created_at', order: 'DESC' }}
        perPage={mayManage ? 25 : 10}
        queryOptions={{ meta: mayManage ? managing : reading }}
      >
        {mayManage && isWide ? <Table /> : <Feed />}
      </List>
      {/* Not before the list: that would push it down. */}
      <Paper sx={{ mt: 2, px: 2.5, py: 1, visibility: isListed ? 'visible' : 'hidden' }}>
        <Subscription />
      </Paper>
    </Box>
  )
}
