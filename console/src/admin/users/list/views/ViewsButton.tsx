import { LoadError } from '@gatehouse/plugin-kit/console'
import Icon from '@mui/icons-material/BookmarksOutlined'
import Check from '@mui/icons-material/Check'
import Divider from '@mui/material/Divider'
import ListItemIcon from '@mui/material/ListItemIcon'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Popover from '@mui/material/Popover'
import { useState } from 'react'
import { ToolButton } from '../ToolButton.tsx'
import { ManageViews } from './ManageViews.tsx'
import { SaveView } from './SaveView.tsx'
import { useViews } from './views.ts'

type Dialog = 'save' | 'manage'

/** Saved views of the list: the menu applies them, its last entries save and manage them. */
export function ViewsButton() {
  const views = useViews()
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setAnchor(null)
  const open = (next: Dialog) => {
    close()
    setDialog(next)
  }
  const isMissing = views.error !== null && views.views.length === 0
  return (
    <>
      <ToolButton
        variant="text"
        label={views.current === undefined ? 'Views' : `Views: ${views.current.name}`}
        icon={<Icon color={views.current === undefined ? 'inherit' : 'primary'} />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      />
      {isMissing ? (
        <Popover anchorEl={anchor} open={anchor !== null} onClose={close}>
          <LoadError error={views.error} what="Your views" />
        </Popover>
      ) : (
        <Menu
          anchorEl={anchor}
          open={anchor !== null}
          onClose={close}
          slotProps={{ paper: { sx: { maxWidth: 320, minWidth: 200 } } }}
        >
          {views.views.map((view) => (
            <MenuItem
              key={view.name}
              role="menuitemradio"
              aria-checked={view === views.current}
              onClick={() => {
                close()
                views.apply(view)
              }}
              sx={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}
            >
              <ListItemIcon>{view === views.current ? <Check fontSize="small" /> : null}</ListItemIcon>
              {view.name}
            </MenuItem>
          ))}
          {views.views.length === 0 ? null : <Divider sx={{ my: 0.5 }} />}
          <MenuItem onClick={() => open('save')}>Save this view…</MenuItem>
          {views.views.length === 0 ? null : (
            <MenuItem onClick={() => open('manage')}>Rename or delete views…</MenuItem>
          )}
        </Menu>
      )}
      {dialog === 'save' ? <SaveView views={views} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'manage' ? <ManageViews views={views} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}
