import Button, { type ButtonProps } from '@mui/material/Button'
import Tooltip from '@mui/material/Tooltip'
import type { ReactNode } from 'react'

interface Props extends Omit<ButtonProps, 'children'> {
  readonly label: string
  readonly icon: ReactNode
}

/** A button of the list with an icon alone; its name is in the tooltip. `text`: a smaller one, without a border. */
export const ToolButton = ({ label, icon, variant = 'outlined', ...props }: Props) => (
  <Tooltip title={label}>
    <span>
      <Button
        variant={variant}
        aria-label={label}
        {...props}
        sx={{
          minWidth: 0,
          height: variant === 'text' ? 32 : 38,
          px: variant === 'text' ? 0.75 : 1.1,
          '& svg': { fontSize: 20 },
        }}
      >
        {icon}
      </Button>
    </span>
  </Tooltip>
)
