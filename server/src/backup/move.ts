import { ConfigError } from '../config.ts'
import type { DatabaseAddress } from '../db/open.ts'
import type { LoadedPlugin } from '../plugin-host/load.ts'
import { ArchiveError } from './archive.ts'
import { compare } from './fill.ts'
import { createMeter, type TableSum } from './snapshot.ts'
import { openResting } from './source.ts'
import { assertEmpty, assertSameTables, assertWhole, openingAt, openTarget, placeOf, type Target } from './target.ts'

export interface MoveOptions {
  readonly plugins: readonly LoadedPlugin[]
  readonly onStep: (step: string) => void
  readonly onProgress: (done: number, total: number) => void
}

/**
 * Copies a resting database into an empty one, of either kind, and compares all of it. The source stays as it is. A kill leaves
 * the target marked as unfinished; the same call begins again.
 */
export async function moveDatabase(
  from: DatabaseAddress,
  to: DatabaseAddress,
  { plugins, onStep, onProgress }: MoveOptions,
): Promise<Record<string, TableSum>> {
  if (placeOf(from) === placeOf(to))
    throw new ConfigError('--to: this is where the data is now. Name an empty database.')
  await assertWhole(from)
  await assertEmpty(to)
  const source = await openingAt(from, () => openResting(from))
  let target: Target | undefined
  try {
    const tables = await source.tables()
    target = await openTarget(to, `move --to ${placeOf(to)}`, await source.migrations(), plugins)
    await assertSameTables(tables, target)
    let total = 0
    for (const { name } of tables) total += await source.count(name)
    let done = 0
    const onRows = (rows: number) => {
      done += rows
      onProgress(done, total)
    }
    onStep('Copying the rows')
    await target.begin()
    const sums: Record<string, TableSum> = {}
    for (const table of tables) {
      const { measure, sum } = createMeter(onRows)
      await target.load(table, measure(source.rows(table)))
      sums[table.name] = sum()
    }
    const sequences = await source.sequences()
    onStep('Building the indexes')
    await target.finish(sequences)
    onStep('Comparing every row')
    done = 0
    await compare(target, tables, { tables: sums, sequences }, onRows)
    await target.complete()
    return sums
  } catch (error) {
    await target?.close().catch(() => {})
    if (error instanceof ArchiveError) throw new ConfigError(`the copy is not what the source is: ${error.message}.`)
    throw error
  } finally {
    await source.close()
  }
}
