import Box from '@mui/material/Box'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { AutocompleteArrayInput, BooleanInput, type RaRecord, required, TextInput } from 'react-admin'
import { choicesWith } from './webhook.ts'

const nameOf = ({ name }: { name: string }): string => name
/** What is being typed has no group yet: it is a plugin’s event. */
const groupOf = ({ group = 'Plugins' }: RaRecord): string => String(group)

interface GroupProps {
  readonly group: string
  readonly children?: ReactNode
}

/** MUI's own groups are lists in a list box, which has to hold options or groups of them. */
function Group({ group, children }: GroupProps) {
  const id = useId()
  return (
    <Box component="li" role="presentation" sx={{ listStyle: 'none' }}>
      <Box id={id} role="presentation" sx={{ px: 2, pt: 1, pb: 0.5, color: 'text.secondary', fontSize: '0.8125rem' }}>
        {group}
      </Box>
      <Box component="ul" role="group" aria-labelledby={id} sx={{ p: 0 }}>
        {children}
      </Box>
    </Box>
  )
}

/** Kinds and events, chosen by their words; a plugin's event is typed by its name. */
function EventsInput({ events }: { events: readonly string[] }) {
  const [typed, setTyped] = useState<readonly string[]>([])
  const choices = useMemo(() => choicesWith([...new Set([...events, ...typed])]), [events, typed])
  return (
    <AutocompleteArrayInput
      source="events"
      label="Events"
      choices={choices}
      optionText={nameOf}
      groupBy={groupOf}
      renderGroup={({ key, ...props }) => <Group key={key} {...props} />}
      validate={required('Choose at least one event.')}
      helperText="Everything, all events of a kind, or single ones. The name of a plugin’s event can be typed."
      disableCloseOnSelect
      createLabel="Type the name of an event"
      createItemLabel="Add “%{item}”"
      onCreate={(name?: string) => {
        const id = (name ?? '').trim()
        if (id === '') return undefined
        setTyped((before) => [...before, id])
        return { id, name: id, group: 'Plugins' }
      }}
    />
  )
}

/** What is asked of a webhook, when it is made and later. */
export const WebhookFields = ({ events = [] }: { events?: readonly string[] }) => (
  <Box sx={{ display: 'grid', gap: 0.5 }}>
    <TextInput
      source="url"
      label="URL"
      type="url"
      fullWidth
      helperText="Where the messages are sent, by POST. It has to be https."
      validate={required('A URL is needed.')}
      slotProps={{ htmlInput: { autoComplete: 'off', spellCheck: false, maxLength: 2000 } }}
    />
    <EventsInput events={events} />
    <TextInput
      source="description"
      label="Description"
      fullWidth
      helperText="What it is for: “Keeps the CRM up to date”."
      slotProps={{ htmlInput: { maxLength: 1000 } }}
    />
    <BooleanInput source="enabled" label="Send messages" helperText={false} />
  </Box>
)
