import { LeaveQuestion, useOnce } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { Title } from 'react-admin'
import { BackLink } from '../../components/BackLink.tsx'
import { Section } from '../../components/Section.tsx'
import { isOver, type Job, useJob } from '../../jobs/job.ts'
import { listAddress } from '../list/list-address.ts'
import { type Choices, ColumnsStep } from './ColumnsStep.tsx'
import { guessColumns, ignored } from './columns.ts'
import { type FileHead, readHead, withHeader } from './csv.ts'
import { DropFile } from './DropFile.tsx'
import { JobStep } from './JobStep.tsx'
import { SendingStep } from './SendingStep.tsx'
import { Steps } from './Steps.tsx'
import { sendFile } from './send.ts'

interface Chosen {
  readonly file: File
  readonly head: FileHead
}

interface Sending {
  readonly bytes: number
  readonly total: number
  readonly dryRun: boolean
}

/** Names that the server does not know are left out by it. */
const headerOf = (mapped: readonly string[]): string[] =>
  mapped.map((name, at) => (name === ignored ? `left_out_${at + 1}` : name))

/** From a file to users: columns, a dry run, and then the import. */
export function ImportPage() {
  const client = useQueryClient()
  const [chosen, setChosen] = useState<Chosen>()
  const [choices, setChoices] = useState<Choices>({ mapped: [], onConflict: 'fail', invite: false })
  const [problem, setProblem] = useState<string>()
  const [sending, setSending] = useState<Sending>()
  const [sent, setSent] = useState<Job>()
  const { data: job, error } = useJob(sent?.id, sent)
  const upload = useRef<AbortController>(undefined)
  useEffect(() => () => upload.current?.abort(), [])
  const isDone = job !== undefined && isOver(job) && !job.dry_run
  useEffect(() => {
    if (isDone) client.invalidateQueries({ queryKey: ['users'] })
  }, [isDone, client])

  const choose = async (file: File) => {
    setProblem(undefined)
    try {
      const head = await readHead(file)
      setChoices({ ...choices, mapped: guessColumns(head.columns) })
      setChosen({ file, head })
    } catch (error) {
      setProblem((error as Error).message)
    }
  }
  const [send] = useOnce(async (dryRun: boolean) => {
    if (chosen === undefined) return
    const { file, head } = chosen
    const { mapped, onConflict, invite } = choices
    const body = head.format === 'csv' ? withHeader(file, head, headerOf(mapped)) : file
    const identity = [file.name, file.size, file.lastModified, ...mapped].join(' ')
    const controller = new AbortController()
    const { signal } = controller
    upload.current = controller
    const onProgress = (bytes: number) => setSending({ bytes, total: body.size, dryRun })
    setProblem(undefined)
    onProgress(0)
    try {
      setSent(await sendFile(body, { dryRun, onConflict, invite, format: head.format, identity, signal, onProgress }))
    } catch (error) {
      if (!signal.aborted) setProblem((error as Error).message)
    }
    setSending(undefined)
  })
  const toColumns = () => {
    setSent(undefined)
    setProblem(undefined)
  }
  const toFile = () => {
    toColumns()
    setChosen(undefined)
  }

  const dryRun = sending?.dryRun ?? job?.dry_run
  const current = chosen === undefined ? 0 : dryRun === undefined ? 1 : dryRun ? 2 : 3
  const hasBegun = sending === undefined && job?.dry_run === false
  const columnOf = (field: string) => chosen?.head.columns[choices.mapped.indexOf(field)]
  return (
    <Box sx={{ maxWidth: 1040, mx: 'auto', display: 'grid', gap: 2, gridTemplateColumns: 'minmax(0, 1fr)' }}>
      <Title title="Import users" />
      {chosen === undefined || hasBegun ? null : (
        <LeaveQuestion
          text={
            sending === undefined
              ? 'The import has not begun. Leave without it?'
              : 'The file is still being sent. Leave and stop that?'
          }
        />
      )}
      <Box>
        <BackLink to={listAddress()}>Users</BackLink>
      </Box>
      <Steps current={current} isDone={isDone && job.status === 'done'}>
        {problem === undefined ? null : (
          <Alert severity="error" sx={{ mb: 2 }}>
            {problem}
          </Alert>
        )}
        {chosen === undefined ? (
          <Section title="Import users" description="Nothing is changed before you have seen what would happen.">
            <DropFile onFile={choose} />
          </Section>
        ) : sending !== undefined ? (
          <SendingStep
            name={chosen.file.name}
            sent={sending.bytes}
            total={sending.total}
            onCancel={() => upload.current?.abort()}
          />
        ) : job === undefined ? (
          <ColumnsStep
            name={chosen.file.name}
            head={chosen.head}
            choices={choices}
            onChange={setChoices}
            onLeave={toFile}
            onNext={() => send(true)}
          />
        ) : (
          <JobStep
            job={job}
            error={error}
            columnOf={columnOf}
            onImport={() => send(false)}
            onBack={toColumns}
            onAnother={toFile}
          />
        )}
      </Steps>
    </Box>
  )
}
