import {
  Box,
  MuiLink,
  Paper,
  required,
  Tab,
  Tabs,
  TextInput,
  Typography,
  useFormState,
  useMediaQuery,
  useRef,
  useState,
  useWatch,
} from '@gatehouse/plugin-kit/console'
import { Preview } from './Preview.tsx'
import { applyShortcut, Toolbar } from './Toolbar.tsx'

const maxLength = 20_000

function Length() {
  const length = [...String(useWatch({ name: 'body' }) ?? '')].length
  return (
    <Typography variant="caption" sx={{ color: length > maxLength ? 'error.main' : undefined, whiteSpace: 'nowrap' }}>
      {length.toLocaleString('en')} of 20,000
    </Typography>
  )
}

function Writing() {
  const box = useRef<HTMLDivElement>(null)
  const getArea = () => box.current?.querySelector<HTMLTextAreaElement>('textarea:not([aria-hidden])') ?? null
  return (
    <Box ref={box}>
      <Toolbar getArea={getArea} />
      <TextInput
        source="body"
        label="Text"
        multiline
        minRows={14}
        maxRows={32}
        validate={required('A text is needed.')}
        helperText={false}
        format={(value?: string | null) => value ?? ''}
        parse={(value: string) => value}
        onKeyDown={({ nativeEvent }: { nativeEvent: KeyboardEvent }) => {
          const area = getArea()
          if (area !== null) applyShortcut(nativeEvent, area)
        }}
        sx={{
          width: '100%',
          '& textarea': { fontFamily: 'ui-monospace, SFMono-Regular, Menlo, monospace', lineHeight: 1.55 },
        }}
      />
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', columnGap: 2 }}>
        <Typography variant="caption">
          Markdown:{' '}
          <MuiLink href="https://commonmark.org/help/" target="_blank" rel="noopener noreferrer">
            how it is written
          </MuiLink>
        </Typography>
        <Length />
      </Box>
    </Box>
  )
}

const Shown = () => (
  <Paper component="section" aria-label="Preview" sx={{ p: 2.5, minHeight: 200, minWidth: 0 }}>
    <Preview />
  </Paper>
)

/** What is wrong with the text is on the tab for writing: sending the form shows it. */
function useTab() {
  const [tab, setTab] = useState<'write' | 'preview'>('write')
  const { submitCount, errors } = useFormState()
  const [seen, setSeen] = useState(submitCount)
  if (seen !== submitCount) {
    setSeen(submitCount)
    if (errors.body !== undefined) setTab('write')
  }
  return [tab, setTab] as const
}

/** Writing and seeing: beside each other where there is room, else in turn. */
export function Editor() {
  const isWide = useMediaQuery('(min-width: 1100px)', { noSsr: true })
  const [tab, setTab] = useTab()
  if (isWide) {
    return (
      <Box
        sx={{ display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 1fr)', gap: 2.5, alignItems: 'start' }}
      >
        <Writing />
        <Box>
          <Typography variant="caption" component="p" sx={{ height: 34, display: 'flex', alignItems: 'center', mb: 1 }}>
            Preview
          </Typography>
          <Shown />
        </Box>
      </Box>
    )
  }
  return (
    <Box>
      <Tabs value={tab} onChange={(_, chosen) => setTab(chosen)} aria-label="Text" sx={{ mb: 1.5 }}>
        <Tab value="write" label="Write" id="tab-write" aria-controls="panel-write" />
        <Tab value="preview" label="Preview" id="tab-preview" aria-controls="panel-preview" />
      </Tabs>
      {/* The field stays there while it is not seen: what is wrong with it must still be noticed. */}
      <Box role="tabpanel" id="panel-write" aria-labelledby="tab-write" hidden={tab !== 'write'}>
        <Writing />
      </Box>
      <Box role="tabpanel" id="panel-preview" aria-labelledby="tab-preview" hidden={tab !== 'preview'}>
        {tab === 'preview' ? <Shown /> : null}
      </Box>
    </Box>
  )
}
