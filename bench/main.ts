import { loginFlood } from './login-flood.ts'

interface Benchmark {
  readonly what: string
  /** False where the figures miss their target. */
  readonly run: () => Promise<boolean>
}

const benchmarks: Record<string, Benchmark> = {
  'login-flood': { what: 'how long GET /api/users/{id} takes while sign-ins pour in', run: loginFlood },
}

const list = Object.entries(benchmarks)
  .map(([name, { what }]) => `  ${name}  ${what}`)
  .join('\n')
const help = `usage: npm run bench [-- NAME...]

Measures the real program on this machine and writes the figures into docs/benchmarks.md. Without a name: all of them.

${list}

  --help  show this
`

/** Runs what is asked for, one after the other; the exit code. */
async function main(args: readonly string[]): Promise<number> {
  if (args.some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(help)
    return 0
  }
  const unknown = args.find((name) => !Object.hasOwn(benchmarks, name))
  if (unknown !== undefined) {
    process.stderr.write(
      `bench: there is no benchmark "${unknown}". There are: ${Object.keys(benchmarks).join(', ')}\n`,
    )
    return 2
  }
  let met = true
  for (const [name, { run }] of Object.entries(benchmarks)) {
    if (args.length > 0 && !args.includes(name)) continue
    process.stdout.write(`${name}\n`)
    met = (await run()) && met
  }
  return met ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`)
  return 1
})
