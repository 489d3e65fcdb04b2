import Alert from '@mui/material/Alert'
import Box from '@mui/material/Box'
import Paper from '@mui/material/Paper'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import Typography from '@mui/material/Typography'
import { useState } from 'react'
import { apiAddress } from '../../api/address.ts'
import { CopyField } from '../components/CopyField.tsx'
import { Section } from '../components/Section.tsx'
import { codeIn, type Delivery, isUnderWay, titleOf } from './delivery.ts'

/** Why the text is not there, in plain words. */
function hiddenBecause(delivery: Delivery): string {
  const why = 'It holds a link or code that gives access to the account of its recipient.'
  if (delivery.status === 'captured')
    return `The text is hidden. ${why} You would see it if you held every permission that the recipient holds.`
  if (isUnderWay(delivery))
    return `The text is hidden. ${why} Only the recipient sees it, and it is erased once it is sent.`
  return `The text was erased. ${why.replace('holds', 'held').replace('gives', 'gave')} To send it again, have a new one sent.`
}

/** The text is hidden, or no longer there. */
const Hidden = ({ delivery }: { delivery: Delivery }) => (
  <Section title="Message">
    <Alert severity="info">{hiddenBecause(delivery)}</Alert>
  </Section>
)

const Text = ({ children }: { children: string }) => (
  <Box sx={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{children}</Box>
)

function Sms({ delivery }: { delivery: Delivery }) {
  const code = codeIn(delivery)
  return (
    <Section title="Message">
      <Box sx={{ maxWidth: 420, px: 2, py: 1.25, borderRadius: '16px 16px 16px 4px', bgcolor: 'action.selected' }}>
        <Text>{delivery.body_text ?? ''}</Text>
      </Box>
      {code === undefined ? null : (
        <Box sx={{ mt: 2, maxWidth: 420 }}>
          <Typography variant="caption" component="p" sx={{ mb: 0.5 }}>
            The code in it
          </Typography>
          <CopyField value={code} label="Code" isLarge />
        </Box>
      )}
    </Section>
  )
}

/** The mail as its reader sees it. The server sends it with a policy of its own, and the frame allows no scripts. */
const Preview = ({ delivery }: { delivery: Delivery }) => (
  <Box
    component="iframe"
    title={`Preview: ${titleOf(delivery)}`}
    src={`${apiAddress}/deliveries/${delivery.id}/preview`}
    sandbox=""
    referrerPolicy="no-referrer"
    sx={{ display: 'block', width: '100%', height: 560, border: 0, bgcolor: 'common.white', colorScheme: 'light' }}
  />
)

function Mail({ delivery }: { delivery: Delivery }) {
  const [tab, setTab] = useState(delivery.body_html === null ? 'text' : 'preview')
  return (
    <Paper sx={{ overflow: 'hidden', minWidth: 0 }}>
      <Tabs
        value={tab}
        onChange={(_, next: string) => setTab(next)}
        aria-label="How the mail is shown"
        sx={{ px: 1, borderBottom: '1px solid', borderColor: 'divider' }}
      >
        {delivery.body_html === null ? null : (
          <Tab value="preview" label="Preview" id="mail-tab-preview" aria-controls="mail-panel" />
        )}
        <Tab value="text" label="Text" id="mail-tab-text" aria-controls="mail-panel" />
      </Tabs>
      <Box role="tabpanel" id="mail-panel" aria-labelledby={`mail-tab-${tab}`}>
        {tab === 'preview' ? (
          <Preview delivery={delivery} />
        ) : (
          <Box sx={{ p: 2.5 }}>
            <Text>{delivery.body_text ?? ''}</Text>
          </Box>
        )}
      </Box>
    </Paper>
  )
}

/** What it says. */
export function Message({ delivery }: { delivery: Delivery }) {
  if (delivery.body_text === null) return <Hidden delivery={delivery} />
  return delivery.kind === 'sms' ? <Sms delivery={delivery} /> : <Mail delivery={delivery} />
}
