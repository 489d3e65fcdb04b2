import { useMay } from '@gatehouse/plugin-kit/console'
import CheckCircle from '@mui/icons-material/CheckCircle'
import Circle from '@mui/icons-material/RadioButtonUnchecked'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import { type ReactNode, useEffect } from 'react'
import { useGetList, useStore } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { home } from '../../api/address.ts'
import { Section } from '../components/Section.tsx'
import { TestMailButton } from '../components/TestMailButton.tsx'
import { useMeta } from '../users/PasswordInputs.tsx'
import type { Stats } from './use-stats.ts'

interface Step {
  readonly title: string
  readonly text: ReactNode
  readonly isDone: boolean
  /** A page and what its button says, or a button of its own. */
  readonly to?: string
  readonly action?: string
  readonly button?: ReactNode
}

const Item = ({ title, text, isDone, to, action, button }: Step) => (
  <Box component="li" sx={{ display: 'flex', gap: 1.5, py: 1.25, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
    {isDone ? (
      <CheckCircle color="success" fontSize="small" titleAccess="Done" sx={{ mt: '2px' }} />
    ) : (
      <Circle fontSize="small" titleAccess="To do" sx={{ mt: '2px', color: 'text.secondary' }} />
    )}
    <Box sx={{ flex: '1 1 200px', minWidth: 0, overflowWrap: 'anywhere' }}>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      <Typography sx={{ color: 'text.secondary' }}>{text}</Typography>
    </Box>
    {button}
    {isDone || to === undefined ? null : (
      <Button component={RouterLink} to={to} variant="outlined" sx={{ alignSelf: 'center' }}>
        {action}
      </Button>
    )}
  </Box>
)

/** A link to the captured messages, for users who may read them. */
const Outbox = ({ children }: { children: string }) =>
  useMay('deliveries.view') ? (
    <Link component={RouterLink} to="/deliveries">
      {children}
    </Link>
  ) : (
    children
  )

const ofNewSystem = { users: { total: 1 }, captured: { mail: true } }

/**
 * On a new system: what to do next, and what is done already. Hidden for good when all is done, or by its button. Until that is
 * known its place is kept, so that nothing moves that somebody is about to press.
 */
export function FirstSteps({ stats }: { stats: Stats | undefined }) {
  const [isHidden, setHidden] = useStore('firstSteps.hidden', false)
  const mayKeys = useMay('api-keys.manage')
  const { total: keys, isPending } = useGetList(
    'api-keys',
    { pagination: { page: 1, perPage: 1 }, sort: { field: 'id', order: 'ASC' } },
    { enabled: mayKeys },
  )
  const meta = useMeta()
  const isKnown = stats !== undefined && meta !== undefined && !(mayKeys && isPending)
  const { users, captured } = stats ?? ofNewSystem
  const steps: Step[] = [
    {
      title: 'Create a user',
      isDone: users.total > 1,
      to: '/users/create',
      action: 'New user',
      text: `Add somebody besides you.${meta?.features.registration === false ? '' : ` People can also create their own account at ${location.origin}${home}register.`}`,
    },
    ...(mayKeys
      ? [
          {
            title: 'Issue an API key',
            isDone: (keys ?? 0) > 1,
            to: '/api-keys/create',
            action: 'New key',
            text: 'Your application calls the API with it. Give each application its own key, with only the permissions that it needs.',
          },
        ]
      : []),
    {
      title: 'Connect a mail server',
      isDone: !captured.mail,
      button: <TestMailButton />,
      text: captured.mail ? (
        <>
          Set GATEHOUSE_MAIL_URL to smtp://user:password@host and start again. Until then every mail is kept here: read
          it under <Outbox>Deliveries</Outbox>.
        </>
      ) : (
        'Mail goes out through your server. A test mail shows whether it arrives.'
      ),
    },
  ]
  const isDone = isKnown && steps.every((step) => step.isDone)
  useEffect(() => {
    if (isDone) setHidden(true)
  }, [isDone, setHidden])
  const hasFailed = isKnown && mayKeys && keys === undefined
  if (isHidden || isDone || hasFailed) return null
  return (
    <Box sx={isKnown ? {} : { visibility: 'hidden' }}>
      <Section
        title="First steps"
        description="Your system is running. This is what comes next."
        action={<Button onClick={() => setHidden(true)}>Hide</Button>}
      >
        <Box component="ol" sx={{ listStyle: 'none', m: 0, p: 0 }}>
          {steps.map((step) => (
            <Item key={step.title} {...step} />
          ))}
        </Box>
      </Section>
    </Box>
  )
}
