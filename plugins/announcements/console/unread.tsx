import {
  Badge,
  BannerPending,
  Box,
  Button,
  Chip,
  IconButton,
  Tooltip,
  Typography,
  useApi,
  useBannerRoom,
  useEffect,
  useNotify,
  useOnce,
  useQuery,
  useQueryClient,
} from '@gatehouse/plugin-kit/console'
import { type Announcement, addressOf, authorOf, dateOf } from './announcement.ts'
import { Bell, Close, Megaphone } from './icons.tsx'

interface Page {
  readonly data: readonly Announcement[]
  readonly meta: { readonly unread: number }
}

/** Several of one second stand in the list in the order in which they were written. */
const newestFirst = (a: Announcement, b: Announcement) => b.created_at.localeCompare(a.created_at) || b.id - a.id

/** A number that has its place in a badge. */
const short = (unread: number): string => (unread > 99 ? '99+' : String(unread))

/** How many there are to read, and the newest of them. Asked for once for badge, menu and banner, and again each minute. */
export function useUnread(): { unread: number; newest: Announcement | undefined; isPending: boolean } {
  const call = useApi()
  const { data, isPending } = useQuery({
    queryKey: ['announcements', 'unread'],
    queryFn: async () => {
      const { meta } = await call<Page>('GET', '/announcements', { query: { per_page: 1 } })
      if (meta.unread === 0) return { unread: 0, newest: undefined }
      const query = { per_page: 20, include: 'user,read_state' }
      const { data: latest } = await call<Page>('GET', '/announcements', { query })
      return {
        unread: meta.unread,
        newest: latest.filter(({ read_state }) => read_state?.is_read === false).toSorted(newestFirst)[0],
      }
    },
    refetchInterval: 60_000,
    staleTime: 30_000,
  })
  return { ...(data ?? { unread: 0, newest: undefined }), isPending }
}

/** Marks some as read, or all, and fetches again whatever shows it. */
export function useMarkRead(): (ids?: readonly number[]) => Promise<void> {
  const call = useApi()
  const queries = useQueryClient()
  return async (ids) => {
    await call('POST', '/announcements/read', { body: ids === undefined ? {} : { ids } })
    await queries.invalidateQueries({ queryKey: ['announcements'] })
  }
}

/** In the bar: a bell with the number of those that are unread. */
export function BarBadge() {
  const { unread } = useUnread()
  const label = unread === 0 ? 'Announcements' : `${short(unread)} unread announcement${unread === 1 ? '' : 's'}`
  return (
    <Tooltip title={label}>
      <IconButton href="#/announcements" aria-label={label} size="small">
        <Badge
          badgeContent={unread === 0 ? null : short(unread)}
          color="primary"
          aria-hidden
          sx={{ '& .MuiBadge-badge': { height: 16, minWidth: 16, px: 0.5, fontSize: '0.6875rem' } }}
        >
          <Bell fontSize="small" />
        </Badge>
      </IconButton>
    </Tooltip>
  )
}

/** The same number in the menu. */
export function MenuBadge() {
  const { unread } = useUnread()
  if (unread === 0) return null
  return <Chip label={short(unread)} color="primary" aria-label={`, ${unread} unread`} sx={{ height: 20 }} />
}

/** The newest one that is unread, above every page. One that comes while a page is shown is told, and stands above the next page. */
export function Banner() {
  const { newest, isPending } = useUnread()
  const hasRoom = useBannerRoom(isPending, newest !== undefined)
  const markRead = useMarkRead()
  const notify = useNotify()
  const [dismiss, isBusy] = useOnce((id: number) =>
    markRead([id]).catch((error: Error) => notify(error.message, { type: 'error' })),
  )
  const isLate = newest !== undefined && !hasRoom
  useEffect(() => {
    if (isLate) notify(`New announcement: ${newest.title}`, { type: 'info' })
  }, [isLate, newest?.id, newest?.title, notify])
  if (isPending) return <BannerPending />
  if (newest === undefined || !hasRoom) return null
  return (
    <Box
      component="aside"
      aria-label="Newest announcement"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 1.5,
        px: { xs: 1.5, sm: 3 },
        py: 1,
        bgcolor: 'action.selected',
        borderBottom: '1px solid',
        borderColor: 'divider',
      }}
    >
      <Megaphone fontSize="small" sx={{ color: 'primary.main', flexShrink: 0 }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography noWrap sx={{ fontWeight: 600 }}>
          {newest.title}
        </Typography>
        <Typography noWrap variant="caption" component="p" sx={{ color: 'text.primary' }}>
          {authorOf(newest)} · {dateOf(newest.created_at)}
        </Typography>
      </Box>
      <Button variant="outlined" href={addressOf(newest)}>
        Read
      </Button>
      <Tooltip title="Mark as read">
        <IconButton size="small" aria-label="Mark as read" onClick={() => dismiss(newest.id)} disabled={isBusy}>
          <Close fontSize="small" />
        </IconButton>
      </Tooltip>
    </Box>
  )
}
