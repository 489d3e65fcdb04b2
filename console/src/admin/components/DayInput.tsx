import { DateInput, type DateInputProps } from 'react-admin'
import { lastDay } from '../today.ts'

/** A day up to the last one that the API takes. */
export const DayInput = (props: DateInputProps) => <DateInput {...props} slotProps={{ htmlInput: { max: lastDay } }} />
