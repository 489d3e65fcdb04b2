import {
  Box,
  Button,
  Form,
  Fragment,
  LockedWhileSent,
  Paper,
  type ReactNode,
  required,
  SaveButton,
  TextInput,
  useNotify,
} from '@gatehouse/plugin-kit/console'
import { Editor } from './Editor.tsx'
import { Back } from './icons.tsx'

export interface Draft {
  readonly title?: string | null
  readonly body?: string | null
  readonly isMailed?: boolean
}

interface Props {
  readonly record?: Draft
  readonly back: string
  readonly backLabel: string
  readonly action: string
  readonly children?: ReactNode
  /** Rejects with what the API refuses; what belongs to a field is shown there. False: nothing was sent after all. */
  readonly onSave: (draft: Draft) => Promise<unknown>
  /** Everything was saved: nobody has typed on meanwhile. */
  readonly onSaved?: (() => void) | undefined
}

interface Refusal {
  readonly message: string
  readonly body?: { readonly errors?: Readonly<Record<string, string>> }
}

/** Title and text, for a new one and for one that is there. */
export function AnnouncementForm({ record, back, backLabel, action, children, onSave, onSaved }: Props) {
  const notify = useNotify()
  const Fields = record === undefined ? LockedWhileSent : Fragment
  const save = async (values: object) => {
    try {
      if ((await onSave(values)) === false) return {}
    } catch (error) {
      const { body, message } = error as Refusal
      if (body?.errors !== undefined) return { ...body.errors }
      notify(message, { type: 'error' })
      return {}
    }
  }
  return (
    <Box sx={{ maxWidth: 1280, mx: 'auto' }}>
      <Button href={back} startIcon={<Back />} sx={{ color: 'text.secondary', ml: -1, mb: 1 }}>
        {backLabel}
      </Button>
      <Form record={record ?? {}} onSubmit={save} onSaved={onSaved} warnWhenUnsavedChanges sanitizeEmptyValues={false}>
        <Fields>
          <Paper sx={{ p: { xs: 2, sm: 2.5 } }}>
            <TextInput
              source="title"
              validate={required('A title is needed.')}
              helperText={false}
              autoFocus={record === undefined}
              slotProps={{ htmlInput: { maxLength: 150, autoComplete: 'off' } }}
              sx={{ width: '100%', mb: 1.5 }}
            />
            <Editor />
          </Paper>
          {children}
        </Fields>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 2 }}>
          <SaveButton label={action} icon={null} alwaysEnable={record === undefined} />
          <Button variant="outlined" href={back}>
            Cancel
          </Button>
        </Box>
      </Form>
    </Box>
  )
}
