import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import type { ReactNode } from 'react'
import { Link as RouterLink } from 'react-router'
import { monoFamily } from '../../design/tokens.ts'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Section } from '../components/Section.tsx'
import { type Delivery, templateTitle } from './delivery.ts'

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box sx={{ '& + &': { mt: 1.25 } }}>
    <Box component="dt" sx={{ color: 'text.secondary', fontSize: '0.8125rem' }}>
      {name}
    </Box>
    <Box component="dd" sx={{ m: 0, overflowWrap: 'anywhere' }}>
      {children}
    </Box>
  </Box>
)

/** Everything about a message besides its text. */
export function Facts({ delivery }: { delivery: Delivery }) {
  const { kind, template, recipient, user_id, attempts, next_try_at, created_at, sent_at, last_error } = delivery
  const maySeeUser = useMay('users.manage') && user_id !== null
  return (
    <Section title="Details">
      <Box component="dl" sx={{ m: 0 }}>
        <Fact name="Recipient">
          {maySeeUser ? (
            <Link component={RouterLink} to={`/users/${user_id}`}>
              {recipient}
            </Link>
          ) : (
            recipient
          )}
        </Fact>
        <Fact name="Kind">
          {kind === 'mail' ? 'Mail' : 'SMS'}: {templateTitle(template).toLowerCase()}
        </Fact>
        <Fact name="Attempts">{attempts}</Fact>
        {next_try_at === null ? null : (
          <Fact name="Next try">
            <RelativeTime value={next_try_at} isAhead />
          </Fact>
        )}
        <Fact name="Created">
          <RelativeTime value={created_at} />
        </Fact>
        {sent_at === null ? null : (
          <Fact name={delivery.status === 'captured' ? 'Captured' : 'Sent'}>
            <RelativeTime value={sent_at} />
          </Fact>
        )}
        {last_error === null ? null : <Fact name="Last error">{last_error}</Fact>}
        <Fact name="Message ID">
          <Box component="code" sx={{ fontFamily: monoFamily, fontSize: '0.75rem' }}>
            {delivery.message_id}
          </Box>
        </Fact>
      </Box>
    </Section>
  )
}
