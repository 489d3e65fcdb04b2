import Box from '@mui/material/Box'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** The API's timestamps are UTC without a time zone. */
export const toDate = (timestamp: string): Date => new Date(`${timestamp.replace(' ', 'T')}Z`)

/** “23 Nov 2026, 01:19”, in the time of the browser. */
export const wholeTime = (date: Date): string => whole.format(date)

/** `near` is said of what is less than a minute away: on which side, the two clocks cannot tell. */
export function relativeTime(date: Date, near = 'just now'): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  const unit = units.find(([, length]) => Math.abs(seconds) >= length)
  return unit === undefined ? near : relative.format(Math.round(seconds / unit[1]), unit[0])
}

interface Props {
  readonly value: string | null | undefined
  /** It lies ahead: “in a moment” where others say “just now”. */
  readonly isAhead?: boolean
}

/** “3 hours ago”, with the whole date on hover. */
export function RelativeTime({ value, isAhead = false }: Props) {
  if (value == null) return <>Never</>
  const date = toDate(value)
  return (
    <Box
      component="time"
      dateTime={date.toISOString()}
      title={wholeTime(date)}
      sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
    >
      {relativeTime(date, isAhead ? 'in a moment' : undefined)}
    </Box>
  )
}
