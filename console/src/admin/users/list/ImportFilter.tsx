import { useChangeFilters } from '@gatehouse/plugin-kit/console'
import Chip from '@mui/material/Chip'
import { useQuery } from '@tanstack/react-query'
import { SelectInput, useListContext } from 'react-admin'
import { Link } from 'react-router'
import { toDate, wholeTime } from '../../components/RelativeTime.tsx'
import { call } from '../../data-provider.ts'
import { type Job, useJob } from '../../jobs/job.ts'
import { people } from '../../numbers.ts'

const when = ({ created_at }: Job): string => wholeTime(toDate(created_at))
const nameOf = (job: Job): string => `${when(job)}: ${people(job.created)}`

/** The latest imports that created users. */
export const useImports = (isWanted: boolean) =>
  useQuery({
    enabled: isWanted,
    queryKey: ['jobs', 'imports'],
    queryFn: async () => {
      const query = { 'filter[type]': 'users.import', per_page: 100 }
      const { data } = await call<{ data: Job[] }>('GET', '/jobs', { query })
      return data.filter(({ dry_run, created }) => !dry_run && created > 0)
    },
  })

/** The users of a past import. */
export const ImportInput = ({ imports }: { imports: readonly Job[] }) => (
  <SelectInput
    source="import_id"
    label="Import"
    choices={[...imports]}
    optionText={nameOf}
    emptyText="Any or none"
    helperText={false}
  />
)

/** Says that the list has the users of one import, leads to it, and takes the filter away. */
export function ImportChip() {
  const { filterValues } = useListContext()
  const change = useChangeFilters()
  const id = filterValues.import_id as number | undefined
  const { data: job } = useJob(id)
  if (id === undefined) return null
  return (
    <Chip
      size="small"
      component={Link}
      clickable
      to={`/jobs/${id}/show`}
      label={job === undefined ? `Import ${id}` : `Import of ${when(job)}`}
      onDelete={(event) => {
        event.preventDefault() // the chip leads to the import
        change((now) => ({ ...now, import_id: undefined }))
      }}
    />
  )
}
