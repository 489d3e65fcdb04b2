import { ConfirmDialog } from '@gatehouse/plugin-kit/console'
import Box from '@mui/material/Box'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { useNotify } from 'react-admin'
import { call } from '../data-provider.ts'
import { formatNumber } from '../numbers.ts'
import { lastDay } from '../today.ts'
import type { Webhook } from './webhook.ts'

const hourMs = 3_600_000

/** A moment as `datetime-local` has it: in the time of the browser, to the second. */
const toLocal = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19)

/** The API's timestamps are UTC. */
const toTimestamp = (date: Date): string => date.toISOString().slice(0, 19).replace('T', ' ')

/** What the field shows, and what it means: where clocks go back, an hour has the same text as the one before. */
interface Moment {
  readonly text: string
  readonly date: Date
}
const momentAt = (ms: number): Moment => ({ text: toLocal(new Date(ms)), date: new Date(ms) })

/** Asks for a range of time, and sends again what happened in it. */
export function ReplayDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [from, setFrom] = useState(() => momentAt(Date.now() - hourMs))
  const [to, setTo] = useState(() => momentAt(Date.now()))
  const notify = useNotify()
  const replay = async () => {
    const body = { from: toTimestamp(from.date), to: toTimestamp(to.date) }
    const { data } = await call<{ data: { messages: number } }>('POST', `/webhooks/${webhook.id}/replay`, {
      body,
    })
    const { messages } = data
    notify(messages === 1 ? 'One message is sent.' : `${formatNumber(messages)} messages are sent.`, {
      type: 'success',
    })
  }
  const field = (label: string, { text }: Moment, onChange: (moment: Moment) => void, isFirst = false) => (
    <TextField
      type="datetime-local"
      label={label}
      value={text}
      onChange={({ target }) => onChange({ text: target.value, date: new Date(target.value) })}
      fullWidth
      autoFocus={isFirst}
      slotProps={{ inputLabel: { shrink: true }, htmlInput: { step: 1, max: `${lastDay}T23:59:59` } }}
    />
  )
  return (
    <ConfirmDialog
      title="Send what happened again?"
      action="Send again"
      isReady={from.text !== '' && to.text !== ''}
      onConfirm={replay}
      onClose={onClose}
      hasField
    >
      Every event that this webhook is for is sent, whether it was sent before or not. A message keeps its ID, so that
      the receiver can tell.
      <Box sx={{ display: 'grid', gap: 2, mt: 2 }}>
        {field('From', from, setFrom, true)}
        {field('To', to, setTo)}
      </Box>
    </ConfirmDialog>
  )
}
