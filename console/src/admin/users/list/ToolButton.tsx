import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'
import type { ReactNode } from 'react'

interface Props extends Omit<ButtonProps, 'children'> {
  readonly label: string
  readonly icon: ReactNode
}

/** A button of the list that is known by its icon, and told by its name. */
export const ToolButton = ({ label, icon, ...props }: Props) => (
  <Tooltip title={label}>
    <span>
      <Button
        variant="outlined"
        aria-label={label}
        {...props}
        sx={{ minWidth: 0, height: 38, px: 1.1, '& svg': { fontSize: 20 } }}
      >
        {icon}
      </Button>
    </span>
  </Tooltip>
)
