import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { nameOf } from '../../api/user-name.ts'
import { Face } from '../components/Face.tsx'
import { call } from '../data-provider.ts'
import type { User } from '../session.ts'
import { AvatarDialog } from '../users/AvatarDialog.tsx'
import { useChanged } from '../users/tab.ts'

interface OwnRole {
  readonly role?: { readonly name: string; readonly display_name: string | null } | null
}

/** Not from the list of roles: that takes a permission. */
function useOwnRole({ role_id }: User): string | undefined {
  const { data } = useQuery({
    queryKey: ['me', 'role', role_id],
    queryFn: async () => (await call<{ data: OwnRole }>('GET', '/me', { query: { include: 'role' } })).data,
  })
  return data?.role?.display_name ?? data?.role?.name
}

/** Picture, name, and what one is here. */
export function AccountHeader({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const changed = useChanged(user)
  const role = useOwnRole(user)
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 2, py: 1 }}>
      <Face person={user} size={72} />
      <Box sx={{ flex: '1 1 180px', minWidth: 0 }}>
        <Typography variant="h5" component="p" sx={{ overflowWrap: 'anywhere' }}>
          {nameOf(user)}
        </Typography>
        <Typography color="text.secondary" sx={{ overflowWrap: 'anywhere' }}>
          {user.email}
        </Typography>
        {/* A line of its own, kept free for it: it comes later. */}
        <Typography color="text.secondary" sx={{ overflowWrap: 'anywhere', minHeight: '1.5em' }}>
          {role}
        </Typography>
      </Box>
      <Button variant="outlined" onClick={() => setOpen(true)}>
        Change the picture
      </Button>
      {isOpen ? (
        <AvatarDialog path="/me" avatar={user.avatar} onSaved={changed} onClose={() => setOpen(false)} />
      ) : null}
    </Box>
  )
}
