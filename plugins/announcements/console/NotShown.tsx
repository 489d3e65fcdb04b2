import { Button, EmptyState, LoadError, Title } from '@gatehouse/plugin-kit/console'
import { Back, Megaphone } from './icons.tsx'

/** Also true for one that the cache still holds. */
export const isGone = (error: unknown): boolean => (error as { status?: number } | null)?.status === 404

/** In place of an announcement that is deleted, or not loaded. */
export const NotShown = ({ error }: { error: unknown }) => (
  <>
    <Title title="Announcement" />
    <Button href="#/announcements" startIcon={<Back />} sx={{ color: 'text.secondary', ml: -1 }}>
      Announcements
    </Button>
    {isGone(error) ? (
      <EmptyState icon={Megaphone} title="There is no such announcement">
        It may have been deleted.
      </EmptyState>
    ) : (
      <LoadError error={error} what="The announcement" />
    )}
  </>
)
