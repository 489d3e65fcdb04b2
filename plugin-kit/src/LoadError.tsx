import Alert from '@mui/material/Alert'
import Button from '@mui/material/Button'
import { useQueryClient } from '@tanstack/react-query'
import { useOnce } from './once.ts'

interface Props {
  /** Why it could not be loaded; nothing is shown without one. */
  readonly error: unknown
  /** What is missing, as the beginning of a sentence: “The sessions”. */
  readonly what?: string
}

/** Stands where something could not be loaded, so that a failure never looks like emptiness. “Try again” loads all that failed. */
export function LoadError({ error, what = 'This' }: Props) {
  const queries = useQueryClient()
  const [retry, isBusy] = useOnce(() =>
    queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' }),
  )
  if (error == null) return null
  return (
    <Alert
      severity="error"
      sx={{ m: 1.5, '& .MuiAlert-action': { pt: 0, alignItems: 'center' } }}
      action={
        <Button variant="outlined" onClick={retry} disabled={isBusy}>
          Try again
        </Button>
      }
    >
      {what} could not be loaded. {(error as Error).message}
    </Alert>
  )
}
