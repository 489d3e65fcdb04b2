import { Pagination } from 'react-admin'

const digits = new Intl.NumberFormat('en')
const sizes = [25, 50, 100]

const rangeOf = ({ from, to, count }: { from: number; to: number; count: number }): string =>
  `${digits.format(from)}-${digits.format(to)} of ${digits.format(count)}`

/** react-admin hands it on to MUI, which its types do not say. */
const labels = { labelDisplayedRows: rangeOf } as object

/** Below a list: which rows these are, of how many, and the way to the others. */
export const Pages = () => <Pagination rowsPerPageOptions={sizes} {...labels} />
