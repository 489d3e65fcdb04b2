import { Fragment } from 'react'
import { type InputProps, inputFields } from './fields.tsx'

/** Two columns where there is room; wide fields take both. */
export const fieldGrid = {
  display: 'grid',
  gridTemplateColumns: { xs: 'minmax(0, 1fr)', sm: 'repeat(2, minmax(0, 1fr))' },
  columnGap: 2,
  rowGap: 0.5,
  alignItems: 'start',
  '& .MuiFormControl-root, & .MuiAutocomplete-root': { width: '100%' },
  '& .wide': { gridColumn: '1 / -1' },
} as const

interface Props extends Partial<InputProps> {
  readonly part: 'account' | 'person'
}

/** The inputs of the account itself (addresses, names, role) or of the person behind it. */
export const ProfileFields = ({ part, disabled = false, isYou = false }: Props) =>
  inputFields
    .filter(({ input }) => input?.part === part)
    .map(({ name, input }) => <Fragment key={name}>{input?.render({ disabled, isYou })}</Fragment>)
