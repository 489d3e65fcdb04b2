import { List, useMay } from '@gatehouse/plugin-kit/console'
import ExpandMore from '@mui/icons-material/ExpandMore'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import Typography from '@mui/material/Typography'
import { Fragment, type ReactNode, useMemo } from 'react'
import {
  AutocompleteInput,
  DataTable,
  FilterButton,
  ListContextProvider,
  NumberInput,
  SelectInput,
  TextInput,
  TopToolbar,
  useExpanded,
  useListContext,
  useRecordContext,
} from 'react-admin'
import { DayInput } from '../components/DayInput.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { useRanked } from '../components/use-ranked.ts'
import { UserInput } from '../users/inputs.tsx'
import { type Group, grouped } from './groups.ts'
import { useNames, WithNames } from './names.tsx'
import { type Activity, Sentence, SentenceOfMany } from './Sentence.tsx'
import { eventTitle, subjectTitle, subjectTypes } from './sentence.ts'
import { useEventNames } from './use-event-names.ts'

const eventName = ({ name }: { name: string }): string => name

/** An event in words, best match first. */
function EventInput(props: { source: string; label: string; alwaysOn?: boolean }) {
  const names = useEventNames()
  const events = useMemo(() => names.map((id) => ({ id, name: eventTitle(id) })), [names])
  return <AutocompleteInput {...props} {...useRanked(events, eventName)} optionText={eventName} />
}

const filtersOf = (mayUsers: boolean) => [
  <EventInput key="event" source="event" label="Event" alwaysOn />,
  ...(mayUsers ? [<UserInput key="actor" source="actor" label="Done by" alwaysOn />] : []),
  <SelectInput
    key="subject_type"
    source="subject_type"
    label="About"
    choices={subjectTypes.map((id) => ({ id, name: subjectTitle(id) }))}
  />,
  <NumberInput key="subject_id" source="subject_id" label="About the ID" min={1} />,
  <DayInput key="from" source="from" label="From (UTC)" />,
  <DayInput key="to" source="to" label="To (UTC)" />,
  <TextInput key="request_id" source="request_id" label="Request ID" />,
]

const fields = {
  event: 'Event',
  created_at: 'Time (UTC)',
  actor_id: 'User ID of who did it',
  api_key_id: 'API key ID',
  subject_type: 'About',
  subject_id: 'ID of what it is about',
  ip_address: 'IP address',
  user_agent: 'Program',
  request_id: 'Request ID',
  details: 'More',
} as const

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** The entries that share a row. */
const Members = ({ members }: { members: readonly Activity[] }) => (
  <Box component="ul" sx={{ m: 0, py: 0.5, pl: 2.5 }}>
    {members.map((member) => (
      <li key={member.id}>
        <Sentence activity={member} />
      </li>
    ))}
  </Box>
)

function Details() {
  const activity = useRecordContext<Group>()
  if (activity === undefined) return null
  return activity.members.length > 1 ? <Members members={activity.members} /> : <Kept activity={activity} />
}

/** Everything that was recorded of it. */
function Kept({ activity }: { activity: Activity }) {
  const names = Object.keys(fields) as (keyof typeof fields)[]
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        py: 0.5,
        display: 'grid',
        gridTemplateColumns: 'minmax(0, max-content) minmax(0, 1fr)',
        columnGap: 2,
        rowGap: 0.25,
      }}
    >
      {names
        .filter((name) => activity[name] != null)
        .map((name) => (
          <Fragment key={name}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {fields[name]}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {asText(activity[name])}
            </Box>
          </Fragment>
        ))}
    </Box>
  )
}

const Actions = () => (
  <TopToolbar>
    <FilterButton />
  </TopToolbar>
)

/** The audit log, newest first. */
export function ActivityList() {
  const isPhone = useIsPhone()
  const mayUsers = useMay('users.manage')
  const filters = useMemo(() => filtersOf(mayUsers), [mayUsers])
  return (
    <List sort={{ field: 'id', order: 'DESC' }} perPage={50} filters={filters} actions={<Actions />} empty={false}>
      <Grouped>
        <DataTable
          bulkActionButtons={false}
          rowClick={false}
          expand={<Details />}
          // The table's own button cannot be used by keyboard or screen reader: ours is in the last column.
          sx={{ '& .RaDataTable-expandHeader, & .RaDataTable-expandIconCell': { display: 'none' } }}
        >
          <DataTable.Col label="What happened" disableSort>
            <Happened />
            {isPhone ? (
              <Typography variant="caption" component="div">
                <When />
              </Typography>
            ) : null}
          </DataTable.Col>
          {isPhone ? null : <DataTable.Col source="ip_address" label="From" disableSort />}
          {isPhone ? null : (
            <DataTable.Col source="created_at" label="When">
              <When />
            </DataTable.Col>
          )}
          <DataTable.Col source="details" label="Details" disableSort align="right">
            <DetailsButton />
          </DataTable.Col>
        </DataTable>
      </Grouped>
    </List>
  )
}

function Happened() {
  const activity = useRecordContext<Group>()
  if (activity === undefined) return null
  const { length } = activity.members
  return length === 1 ? <Sentence activity={activity} /> : <SentenceOfMany activity={activity} count={length} />
}

/** Gives the table its rows: a change of many is one row. */
function Grouped({ children }: { children: ReactNode }) {
  const list = useListContext<Activity>()
  const { data } = list
  const names = useNames(data)
  const groups = useMemo(() => (data === undefined ? undefined : grouped(data)), [data])
  const shown = names === undefined ? { data: undefined, isPending: true } : { data: groups }
  return (
    <WithNames names={names}>
      <ListContextProvider value={{ ...list, ...shown } as typeof list}>{children}</ListContextProvider>
    </WithNames>
  )
}

const When = () => <RelativeTime value={useRecordContext<Activity>()?.created_at} />

function DetailsButton() {
  const { id = 0 } = useRecordContext<Activity>() ?? {}
  const [isExpanded, toggle] = useExpanded('activity', id, false)
  return (
    <IconButton
      size="small"
      onClick={toggle}
      aria-expanded={isExpanded}
      aria-controls={isExpanded ? `activity-${id}-expand` : undefined}
      aria-label={isExpanded ? 'Hide the details' : 'Show the details'}
    >
      <ExpandMore fontSize="small" sx={{ transform: isExpanded ? 'rotate(180deg)' : undefined }} />
    </IconButton>
  )
}
