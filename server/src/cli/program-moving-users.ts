import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { bulkActions } from '../features/bulk/bulk.actions.ts'
import type { BulkCommandOptions, Filter } from './move-users.ts'
import { jsonOption, listed, whole } from './options.ts'

/** One more filter. One without a value would match everybody. */
const filters = (text: string, before: Filter[]): Filter[] => {
  const [, name, value] = /^([^=]+)=(.*\S.*)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Write name=value.')
  return [...before, [name, value]]
}

const filterOption = (): Option =>
  new Option('--filter <name=value>', 'as in GET /users; may be repeated').argParser(filters).default([], 'none')

const fileName = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('Name a file.') // a script whose variable is not set
  return text
}

/** What is wrong with options that only fit together in some ways. */
function findBulkFault(action: string, { ids, filter, role, roleId }: BulkCommandOptions): string | undefined {
  if ((ids === undefined) === (filter.length === 0)) return 'Give either --ids or --filter.'
  const given = role === undefined ? roleId !== undefined && '--role-id' : '--role'
  if (action === 'set_role') return given ? undefined : 'set_role needs --role or --role-id.'
  return given ? `Only set_role takes ${given}.` : undefined
}

/** `users import`, `users export` and `users bulk`. */
export function addMovingUsers(users: Command): void {
  users
    .command('import')
    .description('import users from a CSV or NDJSON file, as it is or packed with gzip')
    .argument('<file>', 'its path, or - for standard input')
    .option('--dry-run', 'say what would happen, and change nothing')
    .addOption(
      new Option('--on-conflict <what>', 'if an address has an account')
        .choices(['fail', 'skip', 'update'])
        .default('fail'),
    )
    .option('--ignore-unknown', 'ignore unknown columns')
    .addOption(new Option('--notify <what>', 'mail those without a password an invitation').choices(['invite']))
    .option('--hash-parameters <json|@file>', 'of a Firebase project, for its password hashes')
    .addOption(new Option('--format <name>', 'default: by the name or the first character').choices(['csv', 'ndjson']))
    .option(...jsonOption)
    .action(async (file: string, options) => (await import('./move-users.ts')).importUsersCommand(file, options))
  users
    .command('export')
    .description('write users as CSV or NDJSON')
    .addOption(new Option('--format <name>', 'of the file').choices(['csv', 'ndjson']).default('csv'))
    .option('--fields <names>', 'comma-separated; default: all', listed)
    .addOption(filterOption())
    .option('--sort <names>', 'e.g. -created_at,last_name', listed)
    .option('--output <file>', 'its path; default: standard output, as with -', fileName)
    .option('--with-password-hashes', 'with the column password_hash: keep the file secret')
    .addOption(new Option('--json', 'the same as --format ndjson').implies({ format: 'ndjson' }))
    .action(async (options) => (await import('./move-users.ts')).exportUsersCommand(options))
  users
    .command('bulk')
    .description('do something to many users')
    .addArgument(new Argument('<action>', 'what is done to each').choices(bulkActions))
    .option('--ids <ids>', 'comma-separated', listed)
    .addOption(filterOption())
    .requiredOption('--expected <n>', 'how many users match', whole(0, Number.MAX_SAFE_INTEGER))
    .option('--role <name>', 'for set_role')
    .addOption(
      new Option('--role-id <id>', 'its id instead').argParser(whole(1, Number.MAX_SAFE_INTEGER)).conflicts('role'),
    )
    .option(...jsonOption)
    .action(async (action: string, options: BulkCommandOptions, command: Command) => {
      const fault = findBulkFault(action, options)
      if (fault !== undefined) command.error(`error: ${fault}`)
      return (await import('./move-users.ts')).bulkUsersCommand(action, options)
    })
}
