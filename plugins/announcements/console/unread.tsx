import {
  Badge,
  Box,
  Button,
  Chip,
  IconButton,
  Tooltip,
  Typography,
  useApi,
  useQuery,
  useQueryClient,
} from '@gatehouse/plugin-kit/console'
import { type Announcement, addressOf, authorOf, count, dateOf } from './announcement.ts'
import { Bell, Close, Megaphone } from './icons.tsx'

interface Page {
  readonly data: readonly Announcement[]
  readonly meta: { readonly unread: number }
}

/** How many there are to read, and the newest of them. Asked for once for badge, menu and banner, and again each minute. */
export function useUnread(): { unread: number; newest: Announcement | undefined } {
  const call = useApi()
  const { data } = useQuery({
    queryKey: ['announcements', 'unread'],
    queryFn: async () => {
      const { meta } = await call<Page>('GET', '/announcements', { query: { per_page: 1 } })
      if (meta.unread === 0) return { unread: 0, newest: undefined }
      const query = { per_page: 20, include: 'user,read_state' }
      const { data: latest } = await call<Page>('GET', '/announcements', { query })
      return { unread: meta.unread, newest: latest.find(({ read_state }) => read_state?.is_read === false) }
    },
    refetchInterval: 60_000,
    staleTime: 30_000,
  })
  return data ?? { unread: 0, newest: undefined }
}

/** Marks some as read, or all, and has everything that shows it asked for anew. */
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
  const label = unread === 0 ? 'Announcements' : count(unread, 'unread announcement')
  return (
    <Tooltip title={label}>
      <IconButton href="#/announcements" aria-label={label} size="small">
        <Badge badgeContent={unread} max={99} color="primary" aria-hidden>
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
  return (
    <Chip label={unread > 99 ? '99+' : unread} color="primary" aria-label={`, ${unread} unread`} sx={{ height: 20 }} />
  )
}

/** The newest one that is unread, above every page. */
export function Banner() {
  const { newest } = useUnread()
  const markRead = useMarkRead()
  if (newest === undefined) return null
  return (
    <Box
      component="aside"
      aria-label="Newest announcement"
      sx={{
        ...{ display: 'flex', alignItems: 'center', gap: 1.5, px: { xs: 1.5, sm: 3 }, py: 1 },
        ...{ bgcolor: 'action.selected', borderBottom: '1px solid', borderColor: 'divider' },
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
        <IconButton size="small" aria-label="Mark as read" onClick={() => markRead([newest.id])}>
          <Close fontSize="small" />
        </IconButton>
      </Tooltip>
    </Box>
  )
}
