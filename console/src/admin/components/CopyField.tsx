import Check from '@mui/icons-material/Check'
import Copy from '@mui/icons-material/ContentCopyOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { useRef, useState } from 'react'
import { monoFamily } from '../../design/tokens.ts'

interface Props {
  readonly value: string
  readonly label: string
  readonly isLarge?: boolean
  /** The button gets the focus: what was pressed before is gone. */
  readonly autoFocus?: boolean
}

/** Something to be taken along, with the button that copies it. */
export function CopyField({ value, label, isLarge = false, autoFocus = false }: Props) {
  const [isCopied, setCopied] = useState(false)
  const text = useRef<HTMLElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setCopied(true)
    } catch {
      // Not on https, or not allowed: it is marked, and Ctrl+C does the rest.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current)
    }
  }
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        gap: 1,
        p: 1,
        pl: 1.5,
        borderRadius: 1,
        border: '1px solid',
        borderColor: 'divider',
        bgcolor: 'background.default',
      }}
    >
      <Box
        component="code"
        ref={text}
        aria-label={label}
        role="textbox"
        aria-readonly="true"
        tabIndex={0}
        sx={{
          flex: '1 1 200px',
          minWidth: 0,
          overflowWrap: 'anywhere',
          ...(value.includes('\n') ? { whiteSpace: 'pre', columns: 2 } : {}),
          color: 'text.primary',
          fontFamily: monoFamily,
          ...(isLarge ? { fontSize: '1.5rem', fontWeight: 600, letterSpacing: '0.12em' } : { fontSize: '0.8125rem' }),
        }}
      >
        {value}
      </Box>
      <Button variant="outlined" onClick={copy} autoFocus={autoFocus} startIcon={isCopied ? <Check /> : <Copy />}>
        {isCopied ? 'Copied' : 'Copy'}
      </Button>
      <Box
        component="span"
        role="status"
        sx={{ position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' }}
      >
        {isCopied ? `${label} copied` : ''}
      </Box>
    </Box>
  )
}
