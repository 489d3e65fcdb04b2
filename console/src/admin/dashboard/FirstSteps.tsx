import { useMay } from '@gatehouse/plugin-kit/console'
import CheckCircle from '@mui/icons-material/CheckCircle'
import Circle from '@mui/icons-material/RadioButtonUnchecked'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Link from '@mui/material/Link'
import Typography from '@mui/material/Typography'
import type { ReactNode } from 'react'
import { useGetList, useStore } from 'react-admin'
import { Link as RouterLink } from 'react-router'
import { Section } from '../components/Section.tsx'
import type { Stats } from './use-stats.ts'

interface Step {
  readonly title: string
  readonly text: ReactNode
  readonly isDone: boolean
  readonly to?: string
  readonly action?: string
}

const Item = ({ title, text, isDone, to, action }: Step) => (
  <Box component="li" sx={{ display: 'flex', gap: 1.5, py: 1.25, flexWrap: { xs: 'wrap', sm: 'nowrap' } }}>
    {isDone ? (
      <CheckCircle color="success" fontSize="small" titleAccess="Done" sx={{ mt: '2px' }} />
    ) : (
      <Circle fontSize="small" titleAccess="To do" sx={{ mt: '2px', color: 'text.secondary' }} />
    )}
    <Box sx={{ flex: 1, minWidth: 200 }}>
      <Typography sx={{ fontWeight: 600 }}>{title}</Typography>
      <Typography sx={{ color: 'text.secondary' }}>{text}</Typography>
    </Box>
    {isDone || to === undefined ? null : (
      <Button component={RouterLink} to={to} variant="outlined" sx={{ alignSelf: 'center' }}>
        {action}
      </Button>
    )}
  </Box>
)

/** Where captured messages can be read. */
const Outbox = ({ children }: { children: string }) => (
  <Link component={RouterLink} to="/deliveries">
    {children}
  </Link>
)

/** On a new system: what to do next, with what is done already. It goes when all is done, or when it is told to. */
export function FirstSteps({ stats }: { stats: Stats | undefined }) {
  const [isHidden, setHidden] = useStore('firstSteps.hidden', false)
  const mayKeys = useMay('api-keys.manage')
  const { total: keys } = useGetList(
    'api-keys',
    { pagination: { page: 1, perPage: 1 }, sort: { field: 'id', order: 'ASC' } },
    { enabled: mayKeys },
  )
  if (stats === undefined || isHidden || (mayKeys && keys === undefined)) return null
  const steps: Step[] = [
    {
      title: 'Create a user',
      isDone: stats.users.total > 1,
      to: '/users/create',
      action: 'New user',
      text: 'Somebody besides you. People can also register themselves, at the address of this page followed by register.',
    },
    ...(mayKeys
      ? [
          {
            title: 'Issue an API key',
            isDone: (keys ?? 0) > 1,
            to: '/api-keys/create',
            action: 'New key',
            text: 'Your application calls the API with it. Give each application a key of its own, with no more than it needs.',
          },
        ]
      : []),
    {
      title: 'Connect a mail server',
      isDone: !stats.captured.mail,
      text: stats.captured.mail ? (
        <>
          Set GATEHOUSE_MAIL_URL to smtp://user:password@host and start again. Until then every mail is kept here: read
          it under <Outbox>Deliveries</Outbox>.
        </>
      ) : (
        'Mail goes out through your server.'
      ),
    },
  ]
  if (steps.every(({ isDone }) => isDone)) return null
  return (
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
  )
}
