import { useOnce } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type FormEvent, useId, useState } from 'react'
import type { ApiError } from '../../api/client.ts'
import { nameOf } from '../../api/user-name.ts'
import { goToSignIn, useSession } from '../session.ts'
import { enterCode, enterPassword, useIsSessionOver } from '../sign-in-again.ts'

const steps = {
  password: {
    label: 'Password',
    autoComplete: 'current-password',
    type: 'password',
    empty: 'Enter your password.',
  },
  code: { label: 'Code', autoComplete: 'one-time-code', type: 'text', empty: 'Enter the code.' },
} as const

function Form() {
  const id = useId()
  const { user } = useSession()
  const [password, setPassword] = useState('')
  const [challenge, setChallenge] = useState<string>()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const { empty, ...field } = challenge === undefined ? steps.password : steps.code

  const askPassword = async (secret: string) => {
    setChallenge(await enterPassword(secret))
    setPassword(secret)
    setText('')
  }
  const [send, isBusy] = useOnce(async (work: () => Promise<void>) => {
    setProblem(undefined)
    await work().catch((error: ApiError) => setProblem(Object.values(error.fields ?? {}).flat()[0] ?? error.message))
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (text.trim() === '') return setProblem(empty)
    send(() => (challenge === undefined ? askPassword(text) : enterCode(challenge, text)))
  }
  return (
    <Dialog open aria-labelledby={id} fullWidth maxWidth="xs">
      <form onSubmit={submit} noValidate>
        <DialogTitle id={id}>{challenge === undefined ? 'Sign in again' : 'Enter the code'}</DialogTitle>
        <DialogContent sx={{ overflowWrap: 'anywhere' }}>
          <Typography color="text.secondary" sx={{ mb: 1 }}>
            {challenge === undefined ? (
              <>
                Your session has ended. Sign in as <strong>{nameOf(user)}</strong> to go on where you are; nothing that
                you typed is lost.
              </>
            ) : (
              'Enter the code of your app or the SMS that we sent, or a recovery code.'
            )}
          </Typography>
          {/* Tells a password manager whose password it is. */}
          <input type="text" name="username" autoComplete="username" value={user.email} readOnly hidden />
          <TextField
            key={field.label}
            {...field}
            fullWidth
            autoFocus
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              setProblem(undefined)
            }}
            error={problem !== undefined}
            helperText={problem}
          />
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', rowGap: 1 }}>
          {challenge === undefined ? (
            <Button onClick={() => goToSignIn()} sx={{ mr: 'auto' }}>
              Use another account
            </Button>
          ) : (
            <Button onClick={() => send(() => askPassword(password))} disabled={isBusy} sx={{ mr: 'auto' }}>
              Send a new code
            </Button>
          )}
          <Button type="submit" variant="contained" disabled={isBusy}>
            Sign in
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Over whatever page there is, once the session is over. It cannot be closed: without a session nothing goes on. */
export const SignInAgain = () => (useIsSessionOver() ? <Form /> : null)
