import { CommanderError } from 'commander'
import { ConfigError } from '../config.ts'
import { causesOf } from '../core/causes.ts'
import { ServiceError } from '../core/errors.ts'
import { isUnavailable } from '../db/failures.ts'
import { StorageError } from '../features/avatar-files/storage-error.ts'
import { allPrinted } from './output.ts'
import { createProgram } from './program.ts'
import { CommandFailed } from './run-failure.ts'

/** What is wrong with a file that somebody named, by the system's code. */
const fileFaults: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder.',
  EACCES: 'it may not be opened: permission denied.',
  EISDIR: 'this is a folder, not a file.',
  ENOSPC: 'the disk is full.',
}

/** What files, disks, networks and databases answer: nothing is wrong with this program. */
const isOfSystem = (error: unknown): error is Error =>
  error instanceof Error && ((error as NodeJS.ErrnoException).syscall !== undefined || isUnavailable(error))

/** The error text for the operator: one line for what they can fix, the whole error otherwise. */
function describe(error: unknown): string {
  const storage = [error, (error as Error | undefined)?.cause].find((one) => one instanceof StorageError)
  if (storage !== undefined) return [storage.message, causesOf(storage)].filter((text) => text !== '').join(': ')
  if (error instanceof ServiceError) {
    const fields = Object.entries(error.fields ?? {}).map(([field, messages]) => `${field}: ${messages.join(' ')}`)
    return fields.length > 0 ? fields.join('\ngatehouse: ') : error.message
  }
  if (error instanceof ConfigError) return error.message
  const { code = '', path } = error as NodeJS.ErrnoException
  const fault = fileFaults[code]
  if (fault !== undefined) return path === undefined ? fault : `${path}: ${fault}`
  if (isOfSystem(error)) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Runs one command, `start` if none is named; returns the exit code: 0 done, 1 failed, 2 wrong usage. */
export async function run(argv: readonly string[]): Promise<number> {
  const program = createProgram()
  const commands = [program, ...program.commands, ...program.commands.flatMap((command) => command.commands)]
  for (const command of commands) command.exitOverride()
  try {
    const words = argv.length > 2 ? argv : [...argv, 'start']
    await program.parseAsync(words)
    if (words[2] !== 'start') await allPrinted() // a service goes on without its output
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2 // commander has printed the reason
    if (!(error instanceof CommandFailed)) process.stderr.write(`gatehouse: ${describe(error)}\n`)
    return 1
  }
}
