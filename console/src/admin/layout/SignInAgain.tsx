import { useOnce } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type FormEvent, useId, useState } from 'react'
import { leadingBack } from '../../api/address.ts'
import { type Challenge, whyOver } from '../../api/challenge.ts'
import type { ApiError } from '../../api/client.ts'
import { hasPasskeys } from '../../api/passkeys.ts'
import { nameOf } from '../../api/user-name.ts'
import { asTyped } from '../../design/as-typed.ts'
import { WhosePassword } from '../../design/WhosePassword.tsx'
import { leave, useSession } from '../session.ts'
import {
  confirmWithPasskey,
  enterCode,
  enterPasskey,
  enterPassword,
  sendSms,
  useIsSessionOver,
} from '../sign-in-again.ts'
import { useCursorToWrong } from './use-cursor-to-wrong.ts'

const steps = {
  password: {
    label: 'Password',
    autoComplete: 'current-password',
    type: 'password',
    empty: 'Enter your password.',
  },
  code: { label: 'Code', autoComplete: 'one-time-code', type: 'text', empty: 'Enter the code.' },
} as const

/** What the second step asks for. */
function wordsOf({ methods }: Challenge, isSmsSent: boolean): string {
  if (isSmsSent) return 'Enter the code of the SMS that we sent, or a recovery code.'
  if (methods.includes('totp')) return 'Enter the code that your app shows, or a recovery code.'
  return methods[0] === 'passkey' ? 'Use your passkey, or enter a recovery code.' : 'Enter one of your recovery codes.'
}

function Form() {
  const id = useId()
  const { user } = useSession()
  const [isSmsSent, setSmsSent] = useState(false)
  const [challenge, setChallenge] = useState<Challenge>()
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const form = useCursorToWrong(problem)
  const { empty, ...field } = challenge === undefined ? steps.password : steps.code

  const askPassword = async (secret: string) => {
    const next = await enterPassword(secret)
    setChallenge(next)
    setSmsSent(next?.methods[0] === 'sms')
    setText('')
  }
  const askSms = async (of: Challenge) => {
    await sendSms(of)
    setSmsSent(true)
  }
  const [send, isBusy] = useOnce(async (work: () => Promise<void>) => {
    setProblem(undefined)
    await work().catch((error: ApiError) => {
      const why = challenge === undefined ? undefined : whyOver(challenge, error)
      if (why !== undefined) {
        setChallenge(undefined)
        setText('')
      }
      setProblem(why ?? Object.values(error.fields ?? {}).flat()[0] ?? error.message)
    })
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (text.trim() === '') return setProblem(empty)
    send(() => (challenge === undefined ? askPassword(text) : enterCode(challenge, text, isSmsSent)))
  }
  return (
    <Dialog open aria-labelledby={id} fullWidth maxWidth="xs">
      <form ref={form} onSubmit={submit} noValidate>
        <DialogTitle id={id}>{challenge === undefined ? 'Sign in again' : 'Enter the code'}</DialogTitle>
        <DialogContent sx={{ overflowWrap: 'anywhere' }}>
          <Typography color="text.secondary" sx={{ mb: 1 }}>
            {challenge === undefined ? (
              <>
                Your session has ended. Sign in as <strong>{nameOf(user)}</strong> to go on where you are; nothing that
                you typed is lost.
              </>
            ) : (
              wordsOf(challenge, isSmsSent)
            )}
          </Typography>
          <WhosePassword name={user.email} />
          <TextField
            key={field.label}
            {...field}
            slotProps={{ htmlInput: asTyped }}
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
            <Button onClick={() => leave(leadingBack('login'))} sx={{ mr: 'auto' }}>
              Use another account
            </Button>
          ) : challenge.methods.includes('sms') ? (
            <Button onClick={() => send(() => askSms(challenge))} disabled={isBusy} sx={{ mr: 'auto' }}>
              {isSmsSent ? 'Send a new code' : 'Send an SMS'}
            </Button>
          ) : null}
          {hasPasskeys() && (challenge === undefined || challenge.methods.includes('passkey')) ? (
            <Button
              onClick={() => send(challenge === undefined ? enterPasskey : () => confirmWithPasskey(challenge))}
              disabled={isBusy}
            >
              Use a passkey
            </Button>
          ) : null}
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
