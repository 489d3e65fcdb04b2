import Checked from '@mui/icons-material/CheckBox'
import Unchecked from '@mui/icons-material/CheckBoxOutlineBlank'
import Icon from '@mui/icons-material/ViewColumnOutlined'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { useState } from 'react'
import { columnFields } from '../fields.tsx'
import { useColumns } from './columns.ts'
import { ToolButton } from './ToolButton.tsx'

/** Which columns the table has. */
export function ColumnsButton() {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [shown, toggle] = useColumns()
  return (
    <>
      <ToolButton
        variant="text"
        label="Columns"
        icon={<Icon />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      />
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {columnFields.map(({ name: column, label }) => (
          <MenuItem
            key={column}
            role="menuitemcheckbox"
            aria-checked={shown.has(column)}
            disabled={shown.size === 1 && shown.has(column)}
            onClick={() => toggle(column)}
          >
            {/* A picture: a field inside of an item would be two controls in one. */}
            <ListItemIcon>
              {shown.has(column) ? <Checked color="primary" fontSize="small" /> : <Unchecked fontSize="small" />}
            </ListItemIcon>
            {label}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}
