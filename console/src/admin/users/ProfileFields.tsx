import Box from '@mui/material/Box'
import { DateInput, email, required, TextInput } from 'react-admin'
import { CountryInput, RoleInput } from './inputs.tsx'

/** Two columns where there is room; what is long has both. */
export const fieldGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'start',
  '& .MuiFormControl-root, & .MuiAutocomplete-root': { width: '100%' },
  '& .wide': { gridColumn: '1 / -1' },
} as const

const isEmail = [required('An email address is needed.'), email('This is not an email address.')]
const today = () => new Date().toISOString().slice(0, 10)

interface Props {
  /** One's own: names for signing in are changed under one's account, with the current password. */
  readonly isYou?: boolean
  readonly disabled?: boolean
  readonly defaultRoleId?: number
}

/** The account's own fields: names, addresses and role. */
export const AccountFields = ({ disabled = false, isYou = false, defaultRoleId }: Props) => (
  <>
    <TextInput
      source="email"
      type="email"
      validate={isEmail}
      disabled={disabled || isYou}
      autoComplete="off"
      helperText={isYou ? 'Change it under My account.' : false}
    />
    <TextInput
      source="username"
      disabled={disabled || isYou}
      autoComplete="off"
      helperText={isYou ? 'Change it under My account.' : false}
    />
    <Box className="wide">
      <RoleInput source="role_id" isRequired disabled={disabled} helperText={false} defaultValue={defaultRoleId} />
    </Box>
  </>
)

/** What is known of the person; nothing of it has to be given. */
export const PersonFields = ({ disabled = false }: Props) => {
  const shared = { disabled, helperText: false, autoComplete: 'off' } as const
  return (
    <>
      <TextInput source="first_name" {...shared} />
      <TextInput source="last_name" {...shared} />
      <TextInput source="phone" type="tel" {...shared} placeholder="+44 20 7946 0958" />
      <DateInput source="birthday" disabled={disabled} helperText={false} slotProps={{ htmlInput: { max: today() } }} />
      <CountryInput source="country_id" disabled={disabled} helperText={false} />
      <TextInput source="address" multiline maxRows={4} {...shared} />
    </>
  )
}
