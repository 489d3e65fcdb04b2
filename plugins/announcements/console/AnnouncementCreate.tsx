import {
  BooleanInput,
  ConfirmDialog,
  LeaveQuestion,
  Paper,
  Title,
  useApi,
  useGoOn,
  useNotify,
  useQueryClient,
  useState,
} from '@gatehouse/plugin-kit/console'
import { AnnouncementForm, type Draft } from './AnnouncementForm.tsx'
import { type Announcement, count } from './announcement.ts'
import { Recipients, useRecipients } from './Recipients.tsx'

interface Question {
  readonly draft: Draft
  readonly answer: (isYes: boolean) => void
}

/** A new announcement. If it is to be mailed, it is said to how many before it is published. */
export function AnnouncementCreate() {
  const call = useApi()
  const goOn = useGoOn()
  const notify = useNotify()
  const queries = useQueryClient()
  const [question, setQuestion] = useState<Question>()
  const reach = useRecipients(question !== undefined)

  const publish = async (draft: Draft) => {
    const { title, body, isMailed = false } = draft
    if (isMailed && !(await new Promise<boolean>((answer) => setQuestion({ draft, answer })))) return false
    const sent = { title: title ?? '', body: body ?? '', email_notifications: isMailed }
    const { data } = await call<{ data: Announcement }>('POST', '/announcements', { body: sent })
    notify(isMailed ? 'Published; the mails are on their way.' : 'Published.', { type: 'success' })
    await queries.invalidateQueries({ queryKey: ['announcements'] })
    goOn(`/announcements/${data.id}/show`)
    return true
  }
  const settle = (isYes: boolean) => {
    question?.answer(isYes)
    setQuestion(undefined)
  }
  return (
    <>
      <Title title="New announcement" />
      <AnnouncementForm back="#/announcements" backLabel="Announcements" action="Publish" onSave={publish}>
        <Paper sx={{ mt: 2, px: 2.5, py: 1 }}>
          <BooleanInput
            source="isMailed"
            label="Also send it by mail"
            helperText="You see how many people get it before anything is sent."
            defaultValue={false}
          />
        </Paper>
      </AnnouncementForm>
      {question === undefined ? null : (
        <>
          <LeaveQuestion />
          <ConfirmDialog
            title="Publish and send by mail?"
            action={
              reach.recipients === undefined ? 'Publish' : `Publish and send ${count(reach.recipients.count, 'mail')}`
            }
            isReady={reach.recipients !== undefined}
            onConfirm={async () => settle(true)}
            onClose={() => settle(false)}
          >
            <Recipients {...reach} />
          </ConfirmDialog>
        </>
      )}
    </>
  )
}
