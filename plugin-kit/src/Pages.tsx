import { Pagination, useListContext } from 'react-admin'

const digits = new Intl.NumberFormat('en')
const sizes = [25, 50, 100]

const rangeOf = ({ from, to, count }: { from: number; to: number; count: number }): string =>
  `${digits.format(from)}-${digits.format(to)} of ${digits.format(count)}`

/** react-admin hands it on to MUI, which its types do not say. */
const labels = { labelDisplayedRows: rangeOf } as object

/** Below a list: which rows these are, of how many, and the way to the others. */
export function Pages() {
  const { total = -1 } = useListContext()
  // Where the rows could not be loaded, nothing is known of their number.
  return total < 0 ? null : <Pagination rowsPerPageOptions={sizes} {...labels} />
}
