import { useIsHere, useOnce } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import LinearProgress from '@mui/material/LinearProgress'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { type Identifier, useListContext, useNotify } from 'react-admin'
import { nameOf } from '../../../api/user-name.ts'
import { isCalledOff } from '../../called-off.ts'
import { call, eachOf } from '../../data-provider.ts'
import { undoable } from '../../layout/Toast.tsx'
import { formatNumber, people } from '../../numbers.ts'
import type { User } from '../../session.ts'
import { type UserChange, useUndo } from '../undo.ts'
import { Elsewhere } from './Elsewhere.tsx'

interface Failure {
  readonly id: Identifier
  readonly name: string
  readonly message: string
}

interface Props {
  /** “Ban 3 users” */
  readonly title: string
  readonly children: ReactNode
  /** “banned”, after “3 users were”. */
  readonly done: string
  readonly isDangerous?: boolean
  readonly isReady?: boolean
  /** Resolves with what can be taken back, if anything. */
  readonly work: (id: Identifier) => Promise<UserChange | undefined>
  readonly onClose: () => void
}

/** The name of somebody who may be on another page of the list. */
async function findName(id: Identifier): Promise<string> {
  const answer = await call<{ data: User }>('GET', `/users/${id}`).catch(() => undefined)
  return answer === undefined ? `User ${id}` : nameOf(answer.data)
}

/** Asks, does it for one user after another, and tells for whom it failed and why; the others are done. */
export function BulkDialog({ title, children, done, isDangerous = false, isReady = true, work, onClose }: Props) {
  const id = useId()
  const { selectedIds, onSelect } = useListContext()
  const [ids] = useState(selectedIds)
  const client = useQueryClient()
  const notify = useNotify()
  const undo = useUndo()
  const [finished, setFinished] = useState<number>()
  const [failures, setFailures] = useState<readonly Failure[]>()
  const isStopped = useRef(false)
  const isHere = useIsHere()

  const [run] = useOnce(async () => {
    setFinished(0)
    const failed: Failure[] = []
    const left: Identifier[] = []
    const changes: UserChange[] = []
    await eachOf(ids, async (one) => {
      if (isStopped.current) return left.push(one)
      try {
        const change = await work(one)
        if (change !== undefined) changes.push(change)
      } catch (error) {
        if (isCalledOff(error)) {
          isStopped.current = true
          return left.push(one)
        }
        failed.push({ id: one, name: await findName(one), message: (error as Error).message })
      }
      setFinished((count = 0) => count + 1)
    })
    client.invalidateQueries({ queryKey: ['users'] })
    const changed = ids.length - failed.length - left.length
    const said = `${people(changed)} ${changed === 1 ? 'was' : 'were'} ${done}.`
    const back = `${people(changes.length)} ${changes.length === 1 ? 'is' : 'are'} as before.`
    if (changed > 0) notify(said, changes.length > 0 ? undoable(undo(changes, back)) : { type: 'success' })
    const [first] = failed
    if (isHere()) {
      onSelect([...failed.map((failure) => failure.id), ...left])
      if (first === undefined) onClose()
      else setFailures(failed)
    } else if (first !== undefined) {
      notify(`${people(failed.length)} could not be ${done}. ${first.name}: ${first.message}`, { type: 'error' })
    }
  })
  const isRunning = finished !== undefined && failures === undefined

  return (
    <Dialog open onClose={isRunning ? undefined : onClose} aria-labelledby={id} fullWidth maxWidth="xs">
      <DialogTitle id={id}>
        {failures === undefined ? `${title}?` : `${people(failures.length)} could not be ${done}`}
      </DialogTitle>
      <DialogContent sx={{ color: 'text.secondary' }}>
        {isRunning ? (
          <>
            <LinearProgress
              variant="determinate"
              value={(finished / ids.length) * 100}
              aria-labelledby={id}
              sx={{ my: 1, borderRadius: 1 }}
            />
            {formatNumber(finished)} of {people(ids.length)}
          </>
        ) : failures === undefined ? (
          <>
            {children}
            <Elsewhere />
          </>
        ) : (
          <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
            {failures.map(({ id: one, name, message }) => (
              <Alert key={one} component="li" severity="error" role="listitem">
                <strong>{name}</strong>: {message}
              </Alert>
            ))}
          </Box>
        )}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        {failures !== undefined ? (
          <Button variant="contained" onClick={onClose} autoFocus>
            Close
          </Button>
        ) : isRunning ? (
          <Button
            variant="outlined"
            onClick={() => {
              isStopped.current = true
            }}
          >
            Stop
          </Button>
        ) : (
          <>
            <Button variant="outlined" onClick={onClose} autoFocus>
              Cancel
            </Button>
            <Button variant="contained" color={isDangerous ? 'error' : 'primary'} onClick={run} disabled={!isReady}>
              {title}
            </Button>
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}
