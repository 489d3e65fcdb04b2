import Box from '@mui/material/Box'
import Checkbox from '@mui/material/Checkbox'
import FormControlLabel from '@mui/material/FormControlLabel'
import Typography from '@mui/material/Typography'
import { monoFamily } from '../../design/tokens.ts'
import { type Permission, titleOf } from './grants.ts'

interface Props {
  /** What the group of check boxes is about. */
  readonly label: string
  readonly permissions: readonly Pick<Permission, 'name' | 'display_name' | 'description'>[]
  readonly checked: ReadonlySet<string>
  /** Why one cannot be changed, shown beside it; empty where that is said elsewhere. */
  readonly whyNot: (name: string) => string | undefined
  readonly onToggle: (name: string) => void
}

/** Permissions to be chosen from, each with what it allows. */
export function PermissionChecks({ label, permissions, checked, whyNot, onToggle }: Props) {
  return (
    <Box role="group" aria-label={label}>
      {permissions.map((permission) => {
        const { name, description } = permission
        const why = whyNot(name)
        const title = titleOf(permission)
        return (
          <FormControlLabel
            key={name}
            sx={{
              display: 'flex',
              alignItems: 'start',
              mx: 0,
              py: 0.75,
              gap: 1,
              '& + &': { borderTop: '1px solid', borderColor: 'divider' },
              '& .MuiFormControlLabel-label.Mui-disabled': { color: 'text.primary' },
            }}
            disabled={why !== undefined}
            control={
              <Checkbox
                sx={{ p: 0.5, mt: '-2px' }}
                checked={checked.has(name)}
                onChange={() => onToggle(name)}
                slotProps={{ input: { 'aria-label': why === undefined || why === '' ? title : `${title}. ${why}` } }}
              />
            }
            label={
              <>
                <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1, alignItems: 'baseline' }}>
                  <span>{title}</span>
                  {title === name ? null : (
                    <Box component="code" sx={{ fontFamily: monoFamily, fontSize: '0.75rem', color: 'text.secondary' }}>
                      {name}
                    </Box>
                  )}
                </Box>
                {description === null ? null : (
                  <Typography variant="caption" component="p">
                    {description}
                  </Typography>
                )}
                {why === undefined || why === '' ? null : (
                  <Typography variant="caption" component="p" sx={{ color: 'warning.main' }}>
                    {why}
                  </Typography>
                )}
              </>
            }
          />
        )
      })}
    </Box>
  )
}
