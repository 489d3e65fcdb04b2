import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useGetList } from 'react-admin'
import { Link } from 'react-router'
import { nameOf } from '../../api/user-name.ts'
import type { ApiKey } from '../api-keys/keys.ts'
import { Expires, Prefix, Scope } from '../api-keys/Labels.tsx'
import { Cell } from '../components/Cell.tsx'
import { ListBody } from '../components/ListBody.tsx'
import { RelativeTime } from '../components/RelativeTime.tsx'
import { Section } from '../components/Section.tsx'
import { listAddress } from '../list-address.ts'
import { formatNumber } from '../numbers.ts'
import { useSession } from '../session.ts'
import type { TabProps } from './tab.ts'

const most = 20

/** The API keys that act as this user. */
export function KeysTab({ user }: TabProps) {
  const isYou = useSession().user.id === user.id
  const mayMake = useMay('api-keys.manage') && isYou
  const {
    data,
    total = 0,
    isPending,
    error,
  } = useGetList<ApiKey>(
    'api-keys',
    { filter: { user_id: user.id }, sort: { field: 'id', order: 'DESC' }, pagination: { page: 1, perPage: most } },
    { onError: () => {} },
  )
  const action = mayMake ? (
    <Button variant="outlined" component={Link} to="/api-keys/create">
      New key
    </Button>
  ) : undefined
  return (
    <Section title="API keys" description="Programs use the API with them, as this user." flush action={action}>
      <ListBody isPending={isPending} error={error} none={`${nameOf(user)} has no API key.`}>
        {(data ?? []).map((key) => (
          <Box
            component="li"
            key={key.id}
            sx={{
              display: 'flex',
              flexWrap: 'wrap',
              gap: 2,
              px: 2.5,
              py: 1.25,
              borderTop: '1px solid',
              borderColor: 'divider',
            }}
          >
            <Box sx={{ flex: '1 1 220px', minWidth: 0 }}>
              <Cell to={`/api-keys/${key.id}`} title={key.name} end={<Prefix apiKey={key} />}>
                <Scope apiKey={key} />
              </Cell>
            </Box>
            <Typography variant="caption" component="div">
              Last used: <RelativeTime value={key.last_used_at} />
              <br />
              Expires: <Expires apiKey={key} />
            </Typography>
          </Box>
        ))}
      </ListBody>
      {total > most ? (
        <Box sx={{ p: 1.5, borderTop: '1px solid', borderColor: 'divider', textAlign: 'center' }}>
          <Button component={Link} to={listAddress('api-keys', { user_id: user.id })} variant="outlined">
            Show all {formatNumber(total)}
          </Button>
        </Box>
      ) : null}
    </Section>
  )
}
