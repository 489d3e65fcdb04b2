import { useOnce } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import FormControlLabel from '@mui/material/FormControlLabel'
import MenuItem from '@mui/material/MenuItem'
import Switch from '@mui/material/Switch'
import TextField from '@mui/material/TextField'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Title } from 'react-admin'
import { BackLink } from '../../components/BackLink.tsx'
import { Section } from '../../components/Section.tsx'
import { JobErrors } from '../../jobs/JobErrors.tsx'
import { JobProgress } from '../../jobs/JobProgress.tsx'
import { JobActions } from '../../jobs/JobShow.tsx'
import { isOver, type Job, useJob } from '../../jobs/job.ts'
import { listAddress } from '../list/list-address.ts'
import { guessColumns, ignored } from './columns.ts'
import { type FileHead, readHead, withHeader } from './csv.ts'
import { DropFile } from './DropFile.tsx'
import { MapColumns } from './MapColumns.tsx'
import { sendFile } from './send.ts'

interface Chosen {
  readonly file: File
  readonly head: FileHead
}

const conflicts = [
  ['fail', 'Report it as an error'],
  ['skip', 'Leave the user as they are'],
  ['update', 'Update the user'],
] as const

/** Names that the server does not know are left out by it. */
const headerOf = (mapped: readonly string[]): string[] =>
  mapped.map((name, at) => (name === ignored ? `left_out_${at + 1}` : name))

/** From a file to users: columns, a dry run, and then the import. */
export function ImportPage() {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Chosen>()
  const [mapped, setMapped] = useState<string[]>([])
  const [onConflict, setOnConflict] = useState('fail')
  const [invite, setInvite] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [sent, setSent] = useState<Job>()
  const { data: job = sent } = useJob(sent?.id)
  const isDone = job !== undefined && isOver(job) && !job.dry_run
  useEffect(() => {
    if (isDone) client.invalidateQueries({ queryKey: ['users'] })
  }, [isDone, client])

  const choose = async (file: File) => {
    setProblem(undefined)
    setSent(undefined)
    const head = await readHead(file)
    setMapped(guessColumns(head.columns))
    setChosen({ file, head })
  }
  const [send, isSending] = useOnce(async (dryRun: boolean) => {
    if (chosen === undefined) return
    const { file, head } = chosen
    setProblem(undefined)
    try {
      const body = head.format === 'csv' ? withHeader(file, head, headerOf(mapped)) : file
      setSent(await sendFile(body, { dryRun, onConflict, invite, format: head.format }))
    } catch (error) {
      setProblem((error as Error).message)
    }
  })
  const again = () => {
    setSent(undefined)
    setProblem(undefined)
  }

  const hasEmail = chosen?.head.format === 'ndjson' || mapped.includes('email')
  return (
    <Box sx={{ maxWidth: 1040, mx: 'auto', display: 'grid', gap: 2 }}>
      <Title title="Import users" />
      <Box>
        <BackLink to={listAddress()}>Users</BackLink>
      </Box>
      {problem === undefined ? null : <Alert severity="error">{problem}</Alert>}
      {chosen === undefined ? (
        <Section title="Import users" description="Nothing is changed before you have seen what would happen.">
          <DropFile onFile={choose} />
        </Section>
      ) : job === undefined ? (
        <Section
          title={chosen.file.name}
          description="Say what each column is. These are the first rows of the file."
          action={<Button onClick={() => setChosen(undefined)}>Choose another file</Button>}
        >
          <MapColumns head={chosen.head} mapped={mapped} onChange={setMapped} />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2, alignItems: 'center', mt: 2 }}>
            <TextField
              select
              label="If an address already has an account"
              value={onConflict}
              onChange={({ target }) => setOnConflict(target.value)}
              sx={{ minWidth: 280 }}
            >
              {conflicts.map(([value, label]) => (
                <MenuItem key={value} value={value}>
                  {label}
                </MenuItem>
              ))}
            </TextField>
            <FormControlLabel
              control={<Switch checked={invite} onChange={(_, isOn) => setInvite(isOn)} />}
              label="Invite those without a password"
            />
          </Box>
          {hasEmail ? null : (
            <Alert severity="warning" sx={{ mt: 2 }}>
              One of the columns has to be the email address.
            </Alert>
          )}
          <Box sx={{ mt: 2 }}>
            <Button variant="contained" disabled={!hasEmail || isSending} onClick={() => send(true)}>
              {isSending ? 'Sending the file' : 'Try it without changing anything'}
            </Button>
          </Box>
        </Section>
      ) : (
        <Section
          title={job.dry_run ? 'What would happen' : 'Import'}
          description={job.dry_run ? 'Nothing has been changed.' : undefined}
          action={<JobActions job={job} />}
        >
          <JobProgress job={job} label={job.dry_run ? 'Dry run' : 'Import'} />
          {isOver(job) ? (
            <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, mt: 2 }}>
              {job.dry_run && job.status === 'done' && job.created + job.updated > 0 ? (
                <Button variant="contained" disabled={isSending} onClick={() => send(false)}>
                  {isSending
                    ? 'Sending the file'
                    : `Import ${(job.created + job.updated).toLocaleString('en')} ${job.created + job.updated === 1 ? 'user' : 'users'}`}
                </Button>
              ) : null}
              {job.dry_run ? (
                <Button variant="outlined" onClick={again}>
                  Back to the columns
                </Button>
              ) : (
                <Button variant="outlined" onClick={() => setChosen(undefined)}>
                  Import another file
                </Button>
              )}
            </Box>
          ) : null}
          <JobErrors job={job} />
        </Section>
      )}
    </Box>
  )
}
