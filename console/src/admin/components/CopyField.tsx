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
  /** The button gets the focus, because the one pressed before is gone. */
  readonly autoFocus?: boolean
}

/** A text to copy, with a button that does it. */
export function CopyField({ value, label, isLarge = false, autoFocus = false }: Props) {
  const [state, setState] = useState<'copied' | 'marked'>()
  const isCopied = state === 'copied'
  const text = useRef<HTMLElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value)
      setState('copied')
    } catch {
      // Without https or permission the text is selected, for Ctrl+C.
      if (text.current !== null) getSelection()?.selectAllChildren(text.current)
      setState('marked')
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
        sx={
          state === 'marked'
            ? { flexBasis: '100%', color: 'text.secondary' }
            : { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clip: 'rect(0 0 0 0)' }
        }
      >
        {state === 'marked' ? 'It is marked: press Ctrl+C or ⌘C.' : isCopied ? `${label} copied` : ''}
      </Box>
    </Box>
  )
}
