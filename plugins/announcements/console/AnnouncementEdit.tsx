import {
  Alert,
  Edit,
  Title,
  useApi,
  useEditContext,
  useGoOn,
  useMemo,
  useNotify,
  useQueryClient,
} from '@gatehouse/plugin-kit/console'
import { AnnouncementForm, type Draft } from './AnnouncementForm.tsx'
import { type Announcement, managing } from './announcement.ts'
import { isGone, NotShown } from './NotShown.tsx'

function Loaded() {
  const { record: announcement, error } = useEditContext<Announcement>()
  const call = useApi()
  const goOn = useGoOn()
  const notify = useNotify()
  const queries = useQueryClient()
  const { id, title, body, notifications } = announcement ?? {}
  const record = useMemo(() => ({ title, body }), [title, body])
  if (announcement === undefined || isGone(error)) return <NotShown error={error} />
  const save = async (draft: Draft) => {
    // Only what was changed: what somebody else has changed meanwhile stays.
    const changes = {
      ...(draft.title === title ? {} : { title: draft.title ?? '' }),
      ...(draft.body === body ? {} : { body: draft.body ?? '' }),
    }
    await call('PATCH', `/announcements/${id}`, { body: changes })
    notify('The announcement was saved.', { type: 'success' })
    await queries.invalidateQueries({ queryKey: ['announcements'] })
  }
  return (
    <>
      <Title title="Edit announcement" />
      <AnnouncementForm
        key={id}
        record={record}
        back={`#/announcements/${id}/show`}
        backLabel="Announcement"
        action="Save changes"
        onSave={save}
        onSaved={() => goOn(`/announcements/${id}/show`)}
      >
        {notifications == null ? null : (
          <Alert severity="info" sx={{ mt: 2 }}>
            It went out by mail with the text that it had then; nobody is mailed again.
          </Alert>
        )}
      </AnnouncementForm>
    </>
  )
}

/** Changes title and text; the people who have read it are not told. */
export const AnnouncementEdit = () => (
  <Edit
    component="div"
    actions={false}
    title={false}
    queryOptions={{ meta: managing, onError: () => {} }}
    render={() => <Loaded />} // children are left out where nothing was loaded
  />
)
