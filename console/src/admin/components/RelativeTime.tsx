import Box from '@mui/material/Box'

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

const whole = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
// Always a number: “yesterday” and “last year” depend on the calendar, and only the age is known here.
const relative = new Intl.RelativeTimeFormat('en')

/** The API's timestamps are UTC without a time zone. */
export const toDate = (timestamp: string): Date => new Date(`${timestamp.replace(' ', 'T')}Z`)

/** “23 Nov 2026, 01:19”, in the time of the browser. */
export const wholeTime = (date: Date): string => whole.format(date)

/**
 * “3 hours ago”, or “in 3 hours” of what lies ahead. Of what is less than a minute away, the two clocks cannot tell the side. What
 * has happened and is yet to come by the clock of the browser, which is behind, has its date and time.
 */
export function relativeTime(date: Date, isAhead = false): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  // An age that rounds up to the next unit is told in it: “1 hour ago”, not “60 minutes ago”.
  const unit = units.find(([, length], at) => Math.abs(seconds) >= length - (units[at + 1]?.[1] ?? 0) / 2)
  if (unit === undefined) return isAhead ? 'in a moment' : 'just now'
  return seconds > 0 && !isAhead ? wholeTime(date) : relative.format(Math.round(seconds / unit[1]), unit[0])
}

/** “3 hours ago, 23 Nov 2026, 01:19”. */
export const bothTimes = (date: Date): string => [...new Set([relativeTime(date), wholeTime(date)])].join(', ')

interface Props {
  readonly value: string | null | undefined
  /** It lies ahead: “in 3 hours”, “in a moment”. */
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
      {relativeTime(date, isAhead)}
    </Box>
  )
}
