import { useOnce } from '@gatehouse/plugin-kit/console'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { useLocation } from 'react-router'
import { answerOf } from '../../api/challenge.ts'
import { type ApiError, api, unwrap } from '../../api/client.ts'
import { hasPasskeys } from '../../api/passkeys.ts'
import { asTyped } from '../../design/as-typed.ts'
import { WhosePassword } from '../../design/WhosePassword.tsx'
import { finishProof, proveWithPasskey, sendProof, sendProofCode, useIsProofNeeded } from '../reauthenticate.ts'
import { useSession } from '../session.ts'
import { useCursorToWrong } from './use-cursor-to-wrong.ts'

type Problems = Readonly<Record<string, string>>

const problemsOf = ({ fields, message }: ApiError): Problems => {
  const named = Object.entries(fields ?? {}).map(([field, messages]) => [field, messages.join(' ')])
  return named.length > 0 ? Object.fromEntries(named) : { other: message }
}

/** Where the code comes from. */
const hintOf = (has: (type: string) => boolean): string =>
  has('totp') ? 'Of your app, or a recovery code' : has('sms') ? 'Of an SMS, or a recovery code' : 'A recovery code'

/** Only the code of an SMS has a challenge. */
function codeOf(text: string, challenge: string | undefined) {
  const answer = answerOf(text, challenge !== undefined)
  return answer.method === 'sms' ? { ...answer, challenge } : answer
}

function Form() {
  const id = useId()
  const { user } = useSession()
  const { pathname } = useLocation()
  const [page] = useState(pathname)
  useEffect(() => {
    if (pathname !== page) finishProof(false) // what was asked for was asked for there
  }, [pathname, page])
  const [password, setPassword] = useState('')
  const [token, setToken] = useState('')
  const [challenge, setChallenge] = useState<string>()
  const [problems, setProblems] = useState<Problems>({})
  const form = useCursorToWrong(problems)
  const { data: factors = [] } = useQuery({
    queryKey: ['me', 'factors'],
    queryFn: async () => (await unwrap(api.GET('/me/factors'))).data,
  })
  const needsCode = user.two_factor_options?.enabled === true
  const has = (type: string) => factors.some((factor) => factor.type === type && factor.verified)
  const [send, isBusy] = useOnce(async (work: () => Promise<unknown>, isLast: boolean) => {
    setProblems({})
    try {
      await work()
      if (isLast) finishProof(true)
    } catch (error) {
      setProblems(problemsOf(error as ApiError))
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    // The API says what is missing: it knows whether the account has a password.
    send(() => sendProof({ current_password: password, ...(needsCode ? codeOf(token, challenge) : {}) }), true)
  }
  return (
    <Dialog open onClose={() => finishProof(false)} aria-labelledby={id} fullWidth maxWidth="xs">
      <form ref={form} onSubmit={submit} noValidate>
        <DialogTitle id={id}>Confirm that it is you</DialogTitle>
        <DialogContent>
          <Typography color="text.secondary" sx={{ mb: 1 }}>
            What you are about to do matters for security. Then it goes on where you are.
          </Typography>
          <WhosePassword name={user.email} />
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            fullWidth
            autoFocus
            margin="dense"
            value={password}
            onChange={({ target }) => setPassword(target.value)}
            error={problems.current_password !== undefined}
            helperText={problems.current_password}
          />
          {needsCode ? (
            <TextField
              label="Code"
              autoComplete="one-time-code"
              slotProps={{ htmlInput: asTyped }}
              fullWidth
              margin="dense"
              value={token}
              onChange={({ target }) => setToken(target.value)}
              error={problems.token !== undefined}
              helperText={
                problems.token ??
                (challenge === undefined ? hintOf(has) : 'We sent a code to your phone. A recovery code works, too.')
              }
            />
          ) : null}
          <Typography role="alert" color="error" variant="body2">
            {problems.other ?? problems.credential ?? ''}
          </Typography>
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', rowGap: 1 }}>
          {has('passkey') && hasPasskeys() ? (
            <Button onClick={() => send(proveWithPasskey, true)} disabled={isBusy} sx={{ mr: 'auto' }}>
              Use a passkey
            </Button>
          ) : null}
          {has('sms') ? (
            <Button onClick={() => send(async () => setChallenge(await sendProofCode()), false)} disabled={isBusy}>
              {challenge === undefined ? 'Send an SMS' : 'Send a new SMS'}
            </Button>
          ) : null}
          <Button onClick={() => finishProof(false)}>Cancel</Button>
          <Button type="submit" variant="contained" disabled={isBusy}>
            Confirm
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}

/** Over whatever page there is, when something needs a fresh proof. */
export const Reauthenticate = () => (useIsProofNeeded() ? <Form /> : null)
