import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { resolve } from 'node:path'

const file = resolve(import.meta.dirname, '../docs/benchmarks.md')
const head = `# Benchmarks

What \`npm run bench\` measured. Each part is written by its benchmark and replaced when it runs again.
`

/** How busy the machine was in the last minute, this benchmark included. */
export const loadNow = (): string => (loadavg()[0] ?? 0).toFixed(2)

/** Seconds that the processors were busy since the machine started, with whatever. */
export const busySeconds = (): number =>
  cpus().reduce((sum, { times }) => sum + times.user + times.nice + times.sys + times.irq, 0) / 1000

/** The machine, in one line. */
export const machine = (): string =>
  `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown'}, ${process.platform}, Node ${process.version}`

/** Puts a benchmark's part into docs/benchmarks.md, in the place of what it wrote before. */
export function writeReport(name: string, text: string): void {
  const parts = (existsSync(file) ? readFileSync(file, 'utf8') : head).trimEnd().split(/\n(?=## )/)
  const part = `## ${name}\n\n${text.trim()}\n`
  const at = parts.findIndex((old) => old.startsWith(`## ${name}\n`))
  if (at === -1) parts.push(part)
  else parts[at] = part
  writeFileSync(file, `${parts.map((each) => each.trim()).join('\n\n')}\n`)
}
