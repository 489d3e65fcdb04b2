import { LeaveQuestion, useIsHere, useOnce } from '@gatehouse/plugin-kit/console'
import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Paper from '@mui/material/Paper'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { titleOf } from '../roles/grants.ts'
import type { Drafts } from './use-drafts.ts'

const listFormat = new Intl.ListFormat('en', { type: 'conjunction' })

/** The roles with unsaved changes, and the buttons that save or discard them. */
export function SaveBar({ drafts }: { drafts: Drafts }) {
  const notify = useNotify()
  const [problems, setProblems] = useState<readonly string[]>([])
  const isHere = useIsHere()
  const isDirty = drafts.roles.length > 0

  const [save, isBusy] = useOnce(async () => {
    const saved = await drafts.save()
    if (isHere()) setProblems(saved.problems)
    else for (const problem of saved.problems) notify(problem, { type: 'error' })
    if (saved.isSaved) notify('The permissions were saved.', { type: 'success' })
  })
  const discard = () => {
    setProblems([])
    drafts.discard()
  }
  if (!isDirty && problems.length === 0) return null
  return (
    <Paper
      role="region"
      aria-label="Changes that are not saved"
      sx={{
        position: 'sticky',
        bottom: 12,
        mt: 2,
        p: 1.5,
        zIndex: 2,
        bgcolor: 'background.paper',
        boxShadow: '0 8px 24px rgb(0 0 0 / 18%)',
      }}
    >
      {drafts.question}
      {problems.map((problem) => (
        <Alert
          key={problem}
          severity="error"
          sx={{ mb: isDirty ? 1 : 0 }}
          onClose={() => setProblems((now) => now.filter((other) => other !== problem))}
        >
          {problem}
        </Alert>
      ))}
      {isDirty ? (
        <>
          <LeaveQuestion />
          <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 1, alignItems: 'center' }}>
            <Box role="status" sx={{ flex: '1 1 180px', minWidth: 0, overflowWrap: 'anywhere' }}>
              Changes to {listFormat.format(drafts.roles.map(titleOf))} are not saved yet.
            </Box>
            <Button variant="outlined" onClick={discard} disabled={isBusy}>
              Discard
            </Button>
            <Button variant="contained" onClick={save} disabled={isBusy}>
              Save changes
            </Button>
          </Box>
        </>
      ) : null}
    </Paper>
  )
}
