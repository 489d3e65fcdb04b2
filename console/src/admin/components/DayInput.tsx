import { DateInput, type DateInputProps } from 'react-admin'
import { lastDay } from '../today.ts'

const until = { htmlInput: { max: lastDay } }

/** A day that the API knows: with a year of four digits. */
export const DayInput = (props: DateInputProps) => <DateInput {...props} slotProps={until} />
