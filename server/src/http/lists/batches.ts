import { setImmediate } from 'node:timers/promises'

/** All rows of a query without pages, a batch at a time. `rowsAfter` reads at most `size` rows after the given one, in a fixed order. */
export async function* inBatches<Row>(
  size: number,
  rowsAfter: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await rowsAfter(last)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1)
    await setImmediate() // a quick reader would keep all others waiting
  }
}
