import Icon from '@mui/icons-material/DateRangeOutlined'
import Badge from '@mui/material/Badge'
import Box from '@mui/material/Box'
import Popover from '@mui/material/Popover'
import Typography from '@mui/material/Typography'
import { type ReactNode, useId, useState } from 'react'
import { SelectInput, useListContext } from 'react-admin'
import { DayInput } from '../../components/DayInput.tsx'
import { ImportInput, useImports } from './ImportFilter.tsx'
import { ToolButton } from './ToolButton.tsx'

const names = ['created_from', 'created_to', 'last_login_from', 'last_login_to', 'last_login', 'import_id'] as const
const never = [{ id: 'never', name: 'Never' }]

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <Box role="group" aria-labelledby={id}>
      <Typography id={id} sx={{ fontWeight: 600, mb: 0.5 }}>
        {label}
      </Typography>
      <Box
        sx={{
          display: 'grid',
          gap: 1,
          gridTemplateColumns: '1fr 1fr',
          '& .MuiFormControl-root.MuiFormControl-root': { m: 0, width: '100%', minWidth: 0 },
          '& .wide': { gridColumn: '1 / -1' },
        }}
      >
        {children}
      </Box>
    </Box>
  )
}

/** When accounts were created, and last signed in; days are in UTC, the first and last included. And which import created them. */
export function DateFilters() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const { filterValues } = useListContext()
  const count = names.filter((name) => (filterValues as Record<string, unknown>)[name] !== undefined).length
  const { data: imports = [] } = useImports(anchor !== null)
  /** The form of the filters fills only the inputs that were there when it was. */
  const filled = (source: string) => ({ source, defaultValue: (filterValues as Record<string, unknown>)[source] })
  const isNever = filterValues.last_login === 'never'
  return (
    <>
      <ToolButton
        label={count === 0 ? 'Dates and imports' : `Dates and imports, ${count} in force`}
        icon={
          <Badge badgeContent={count === 0 ? undefined : count} color="primary">
            <Icon />
          </Badge>
        }
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      />
      <Popover
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
        slotProps={{
          paper: { role: 'dialog', 'aria-label': 'Dates and imports', sx: { p: 2, width: 340, maxWidth: '100%' } },
        }}
      >
        <Box sx={{ display: 'grid', gap: 2 }}>
          <Group label="Created">
            <DayInput {...filled('created_from')} label="From" helperText={false} />
            <DayInput {...filled('created_to')} label="To" helperText={false} />
          </Group>
          <Group label="Last sign-in">
            <DayInput {...filled('last_login_from')} label="From" helperText={false} disabled={isNever} />
            <DayInput {...filled('last_login_to')} label="To" helperText={false} disabled={isNever} />
            <div className="wide">
              <SelectInput
                {...filled('last_login')}
                label="Or"
                choices={never}
                emptyText="Any time"
                helperText={false}
              />
            </div>
          </Group>
          <Typography variant="caption">Days are in UTC. The first and the last day are included.</Typography>
          {imports.length === 0 ? null : (
            <Group label="Created by an import">
              <div className="wide">
                <ImportInput imports={imports} />
              </div>
            </Group>
          )}
        </Box>
      </Popover>
    </>
  )
}
