import { Box, IconButton, Tooltip } from '@gatehouse/plugin-kit/console'
import { Bold, Bullets, Chain, Code, Grid, Heading, Italic, Numbers, Picture, Quote } from './icons.tsx'

interface Edit {
  readonly name: string
  readonly icon: typeof Bold
  /** With Ctrl, or ⌘. */
  readonly key?: string
  /** What becomes of the marked text. */
  readonly apply: (text: string) => string
  /** What is marked afterwards, to be typed over. */
  readonly select?: string
}

const eachLine = (text: string, fallback: string, write: (line: string, index: number) => string): string =>
  (text || fallback).split('\n').map(write).join('\n')

const edits: readonly Edit[] = [
  { name: 'Bold', icon: Bold, key: 'b', apply: (text) => `**${text || 'bold'}**`, select: 'bold' },
  { name: 'Italic', icon: Italic, key: 'i', apply: (text) => `*${text || 'italic'}*`, select: 'italic' },
  {
    name: 'Heading',
    icon: Heading,
    apply: (text) => eachLine(text, 'Heading', (line) => `## ${line}`),
    select: 'Heading',
  },
  { name: 'Link', icon: Chain, key: 'k', apply: (text) => `[${text || 'text'}](https://)`, select: 'https://' },
  { name: 'Picture', icon: Picture, apply: (text) => `![${text || 'what it shows'}](https://)`, select: 'https://' },
  { name: 'List', icon: Bullets, apply: (text) => eachLine(text, 'item', (line) => `- ${line}`), select: 'item' },
  {
    name: 'Numbered list',
    icon: Numbers,
    apply: (text) => eachLine(text, 'item', (line, at) => `${at + 1}. ${line}`),
    select: 'item',
  },
  { name: 'Quote', icon: Quote, apply: (text) => eachLine(text, 'quote', (line) => `> ${line}`), select: 'quote' },
  {
    name: 'Code',
    icon: Code,
    apply: (text) => (text.includes('\n') ? `\`\`\`\n${text}\n\`\`\`` : `\`${text || 'code'}\``),
    select: 'code',
  },
  {
    name: 'Table',
    icon: Grid,
    apply: () => '\n| Column | Column |\n| ------ | ------ |\n| cell   | cell   |\n',
  },
]

/** As if it had been typed, so that the browser can take it back (Ctrl+Z). */
function type(area: HTMLTextAreaElement, { apply, select }: Edit): void {
  area.focus()
  const { selectionStart: start, selectionEnd: end, value } = area
  const text = apply(value.slice(start, end))
  if (!document.execCommand('insertText', false, text)) {
    area.setRangeText(text)
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const at = select === undefined ? -1 : text.indexOf(select)
  if (at >= 0 && select !== undefined) area.setSelectionRange(start + at, start + at + select.length)
}

/** Ctrl+B and the like, in the field. */
export function applyShortcut(event: KeyboardEvent, area: HTMLTextAreaElement): void {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
  const edit = edits.find(({ key }) => key === event.key)
  if (edit === undefined) return
  event.preventDefault()
  type(area, edit)
}

/** What writes the signs of Markdown for those who do not know them. */
export const Toolbar = ({ getArea }: { getArea: () => HTMLTextAreaElement | null }) => (
  <Box role="group" aria-label="Formatting" sx={{ display: 'flex', flexWrap: 'wrap', gap: 0.25, mx: -0.5 }}>
    {edits.map((edit) => {
      const { name, icon: Icon, key } = edit
      const area = () => {
        const found = getArea()
        if (found !== null) type(found, edit)
      }
      return (
        <Tooltip key={name} title={key === undefined ? name : `${name} (Ctrl+${key.toUpperCase()})`}>
          <IconButton size="small" aria-label={name} onClick={area}>
            <Icon fontSize="small" />
          </IconButton>
        </Tooltip>
      )
    })}
  </Box>
)
