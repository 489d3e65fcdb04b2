import Close from '@mui/icons-material/Close'
import More from '@mui/icons-material/MoreHoriz'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import Paper from '@mui/material/Paper'
import { useState } from 'react'
import { useListContext } from 'react-admin'
import { formatNumber } from '../../numbers.ts'
import { type AskProps, actions, moreActions } from './bulk-actions.tsx'
import { useElsewhere } from './Elsewhere.tsx'
import { ToolButton } from './ToolButton.tsx'

type Action = (typeof actions)[number]
type Asked = Action & Omit<AskProps, 'onClose'> & { readonly filter: string }

/** The less frequent actions, behind a button. */
function MoreMenu({ onChoose }: { onChoose: (action: Action) => void }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  return (
    <>
      <ToolButton
        label="More actions"
        icon={<More />}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
        sx={{ height: 34 }}
      />
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: 'top', horizontal: 'right' }}
        transformOrigin={{ vertical: 'bottom', horizontal: 'right' }}
      >
        {moreActions.map((action) => (
          <MenuItem
            key={action.label}
            onClick={() => {
              setAnchor(null)
              onChoose(action)
            }}
          >
            {action.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  )
}

/** What can be done with the selected users; floats above the end of the list. */
export function BulkBar() {
  const { selectedIds, onUnselectItems, data = [], total = 0, filterValues, isPlaceholderData } = useListContext()
  const notHere = useElsewhere()
  const [wantsAll, setWantsAll] = useState(false)
  // While the answer to a new filter is awaited, the rows and the total are those of the previous one.
  const isWholePage = !isPlaceholderData && data.length > 0 && data.every(({ id }) => selectedIds.includes(id))
  const isAll = wantsAll && isWholePage
  if (wantsAll && !isWholePage) setWantsAll(false)
  const count = isAll ? total : selectedIds.length
  const elsewhere = isAll ? 0 : notHere.length
  const [asked, setAsked] = useState<Asked>()
  const filter = JSON.stringify(filterValues)
  // The browser's Back may show what another filter finds: the question was not about them.
  if (asked !== undefined && asked.filter !== filter) setAsked(undefined)
  const Dialog = asked?.dialog
  const ask = (action: Action) => setAsked({ ...action, count, isAll, filter })
  return (
    <>
      {selectedIds.length === 0 ? null : (
        <Paper
          role="toolbar"
          aria-label="Selected users"
          sx={{
            position: 'fixed',
            bottom: { xs: 12, md: 24 },
            left: { xs: 12, md: 'calc(232px + 50% - 116px)' },
            zIndex: 'fab',
            transform: { md: 'translateX(-50%)' },
            right: { xs: 12, md: 'auto' },
            display: 'flex',
            flexDirection: { xs: 'column', md: 'row' },
            gap: 0.75,
            p: 0.75,
            boxShadow: 8,
            bgcolor: 'background.paper',
          }}
        >
          <Box sx={{ display: 'flex', alignItems: 'center', gap: 0.5 }}>
            <IconButton
              size="small"
              onClick={() => {
                setWantsAll(false)
                onUnselectItems()
              }}
              aria-label="Clear the selection"
            >
              <Close fontSize="small" />
            </IconButton>
            <Box component="span" role="status" sx={{ pr: 1, fontWeight: 600, whiteSpace: { md: 'nowrap' }, flex: 1 }}>
              {formatNumber(count)} selected
              {elsewhere === 0 ? '' : `, ${formatNumber(elsewhere)} not on this page`}
            </Box>
            {isAll || (isWholePage && total > selectedIds.length) ? (
              <Button onClick={() => setWantsAll(!isAll)}>
                {isAll ? 'Only those on this page' : `Select all ${formatNumber(total)} that match`}
              </Button>
            ) : null}
          </Box>
          <Box
            sx={{
              display: 'flex',
              flexWrap: { xs: 'wrap', md: 'nowrap' },
              gap: { xs: 0.5, sm: 0.75 },
              '& button': { px: { xs: 1, sm: 1.5 }, minWidth: { xs: 0, sm: 64 }, flex: { xs: '1 1 auto', md: 'none' } },
            }}
          >
            {actions.map((action) => (
              <Button
                key={action.label}
                variant="outlined"
                color={action.label === 'Delete' ? 'error' : 'primary'}
                onClick={() => ask(action)}
              >
                {action.label}
              </Button>
            ))}
            <MoreMenu onChoose={ask} />
          </Box>
        </Paper>
      )}
      {asked === undefined || Dialog === undefined ? null : (
        <Dialog count={asked.count} isAll={asked.isAll} onClose={() => setAsked(undefined)} />
      )}
    </>
  )
}
