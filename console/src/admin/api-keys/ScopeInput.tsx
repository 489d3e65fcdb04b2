import { useMay } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import FormControlLabel from '@mui/material/FormControlLabel'
import FormHelperText from '@mui/material/FormHelperText'
import Radio from '@mui/material/Radio'
import RadioGroup from '@mui/material/RadioGroup'
import Typography from '@mui/material/Typography'
import { useRef } from 'react'
import { useInput } from 'react-admin'
import { usePermissions } from '../roles/grants.ts'
import { PermissionChecks } from '../roles/PermissionChecks.tsx'

interface Props {
  readonly source: string
  /** What can be given. */
  readonly grantable: readonly string[]
  readonly isYours: boolean
}

const Choice = ({ value, title, text }: { value: string; title: string; text: string }) => (
  <FormControlLabel
    value={value}
    control={<Radio sx={{ p: 0.5, mr: 1 }} slotProps={{ input: { 'aria-label': title } }} />}
    sx={{ alignItems: 'start', mx: 0, py: 0.5 }}
    label={
      <>
        {title}
        <Typography variant="caption" component="p">
          {text}
        </Typography>
      </>
    }
  />
)

/** What the key may do: everything that its owner may, or some of it. `null` is everything. */
export function ScopeInput({ source, grantable, isYours }: Props) {
  const { field, fieldState } = useInput({ source })
  // A field without a value is an empty string to react-admin.
  const value = Array.isArray(field.value) ? (field.value as string[]) : null
  const last = useRef<string[]>([])
  // Whoever may not see permissions has their names, which are enough.
  const { data = [] } = usePermissions(useMay(['permissions.manage', 'roles.manage']))
  const checked = new Set(value ?? [])
  const shown = [...new Set([...grantable, ...checked])]
    .map((name) => data.find((one) => one.name === name) ?? { id: 0, name, display_name: null, description: null })
    .toSorted((a, b) => (a.id === b.id ? a.name.localeCompare(b.name) : a.id - b.id))
  const whyNot = (name: string) =>
    grantable.includes(name) || checked.has(name) ? undefined : 'Its owner no longer holds this permission.'

  const choose = (choice: string) => {
    if (choice === 'all') last.current = value ?? []
    field.onChange(choice === 'all' ? null : last.current)
  }
  const owner = isYours ? 'you' : 'its owner'
  return (
    <>
      <RadioGroup
        aria-label="What the key may do"
        value={value === null ? 'all' : 'some'}
        onChange={(_, choice) => choose(choice)}
      >
        <Choice
          value="all"
          title={`Everything ${owner} may`}
          text={`It gains and loses permissions together with ${isYours ? 'your' : "its owner's"} role.`}
        />
        <Choice value="some" title="Only these" text="As little as the program needs is safest." />
        {/* In the group, so that the cursor finds it after a refusal. */}
        {fieldState.error?.message === undefined ? null : (
          <FormHelperText error>{fieldState.error.message}</FormHelperText>
        )}
      </RadioGroup>
      {value === null ? null : (
        <Box sx={{ mt: 1, pl: { xs: 0, sm: 4 } }}>
          <PermissionChecks
            label="Permissions of the key"
            permissions={shown}
            checked={checked}
            whyNot={whyNot}
            onToggle={(toggled) =>
              field.onChange(shown.map(({ name }) => name).filter((name) => checked.has(name) !== (name === toggled)))
            }
          />
          {checked.size === 0 ? (
            <Typography variant="caption" component="p" sx={{ mt: 1 }}>
              With none, it can do only what every signed-in user may.
            </Typography>
          ) : null}
        </Box>
      )}
    </>
  )
}
