import { List } from '@gatehouse/plugin-kit/console'
import ExpandMore from '@mui/icons-material/ExpandMore'
import Box from '@mui/material/Box'
import IconButton from '@mui/material/IconButton'
import { Fragment } from 'react'
import {
  AutocompleteInput,
  DataTable,
  DateInput,
  FilterButton,
  NumberInput,
  SelectInput,
  TopToolbar,
  useExpanded,
  useRecordContext,
} from 'react-admin'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { useIsPhone } from '../components/use-is-phone.ts'
import { type Activity, Sentence } from './Sentence.tsx'
import { eventNames, subjectTypes } from './sentence.ts'

const choices = (names: readonly string[]) => names.map((id) => ({ id, name: id.replaceAll('_', ' ') }))

const filters = [
  <AutocompleteInput
    key="event"
    source="event"
    label="Event"
    choices={eventNames.map((id) => ({ id, name: id }))}
    alwaysOn
  />,
  <NumberInput key="actor" source="actor" label="By user (id)" min={1} />,
  <SelectInput key="subject_type" source="subject_type" label="About" choices={choices(subjectTypes)} />,
  <NumberInput key="subject_id" source="subject_id" label="About (id)" min={1} />,
  <DateInput key="from" source="from" label="From" />,
  <DateInput key="to" source="to" label="To" />,
]

const fields = [
  ...(['event', 'created_at', 'actor_id', 'api_key_id', 'subject_type', 'subject_id'] as const),
  ...(['ip_address', 'user_agent', 'request_id', 'details'] as const),
]

const asText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))

/** All that was kept of it, as it was kept. */
function Details() {
  const activity = useRecordContext<Activity>()
  return (
    <Box
      component="dl"
      sx={{ m: 0, py: 0.5, display: 'grid', gridTemplateColumns: 'max-content 1fr', columnGap: 2, rowGap: 0.25 }}
    >
      {fields
        .filter((name) => activity?.[name] != null)
        .map((name) => (
          <Fragment key={name}>
            <Box component="dt" sx={{ color: 'text.secondary' }}>
              {name}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
              {asText(activity?.[name])}
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
  return (
    <List
      sort={{ field: 'id', order: 'DESC' }}
      perPage={50}
      exporter={false}
      filters={filters}
      actions={<Actions />}
      empty={false}
    >
      <DataTable
        bulkActionButtons={false}
        rowClick={false}
        expand={<Details />}
        // Its own button is no button for the keyboard and for screen readers: ours stands in the last column.
        sx={{ '& .RaDataTable-expandHeader, & .RaDataTable-expandIconCell': { display: 'none' } }}
      >
        <DataTable.Col label="What happened" disableSort>
          <Happened />
        </DataTable.Col>
        {isPhone ? null : <DataTable.Col source="ip_address" label="From" disableSort />}
        <DataTable.Col source="created_at" label="When">
          <When />
        </DataTable.Col>
        <DataTable.Col source="details" label="Details" disableSort align="right">
          <DetailsButton />
        </DataTable.Col>
      </DataTable>
    </List>
  )
}

function Happened() {
  const activity = useRecordContext<Activity>()
  return activity === undefined ? null : <Sentence activity={activity} />
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
