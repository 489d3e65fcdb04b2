import { Command, Option } from 'commander'
import { userStatuses } from '../features/accounts/users.table.ts'
import { deliveryKinds, deliveryStatuses } from '../outbox/deliveries.table.ts'
import { version } from '../version.ts'
import { jsonOption, listed, oneOf, pageOption, perPageOption, whole } from './options.ts'
import { addMovingUsers } from './program-moving-users.ts'

/** The command line. Each command's code is loaded when it runs, so that `start` does not wait for that of the others. */
export function createProgram(): Command {
  const program = new Command('gatehouse')
    .description('User administration back end: accounts, roles, API keys.')
    .version(version)
    .showHelpAfterError('(run with --help for a list of commands)')
    .addHelpText(
      'after',
      '\nSettings come from GATEHOUSE_* in the environment or .env: see docs/configuration.md.\nExit codes: 0 done, 1 failed, 2 wrong usage.',
    )

  program
    .command('start')
    .description('run the service until SIGTERM; also without a command')
    .option('--wait <seconds>', 'how long to wait for a database that is not there yet', whole(0, 3_600), 60)
    .action(async (options) => (await import('./start.ts')).start(options))
  program
    .command('doctor')
    .description(
      'check configuration, database, mail, SMS, storage, clock and disk; change nothing; exit code 1 if something is broken',
    )
    .option(...jsonOption)
    .action(async (options) => (await import('./doctor/doctor.ts')).doctor(options))
  program
    .command('migrate')
    .description("bring the database to this version's schema (start does it, too)")
    .option('--status', 'list the migrations and when they ran; changes nothing')
    .addOption(new Option('--dry-run', 'list those that would run; changes nothing').conflicts('status'))
    .action(async (options) => (await import('./migrate.ts')).migrateCommand(options))
  program
    .command('openapi')
    .description('print the OpenAPI document of this version')
    .action(async () => (await import('./openapi.ts')).printOpenApi())
  program
    .command('seed')
    .description('create synthetic users, the same for the same seed')
    .requiredOption('--users <n>', 'how many', whole(1, 10_000_000))
    .option('--random-seed <n>', 'which ones', whole(0, 4_294_967_295), 1)
    .action(async (options) => (await import('./seed.ts')).seed(options))
  addBackup(program)
  program
    .command('storage')
    .description('the storage of pictures')
    .command('adopt')
    .description('make the configured folder the one with the pictures of this database, for example after a restore')
    .action(async () => (await import('./storage.ts')).adoptStorageCommand())
  addKeys(program.command('keys').description('API keys'))
  addUsers(program.command('users').description('user accounts'))
  const deliveries = program.command('deliveries').description('mail and SMS')
  addDeliveries(deliveries)
  addRelease(deliveries)
  addMail(program.command('mail').description('the mail server'))
  addPlugins(program.command('plugins').description('plugins'))
  addActivity(program.command('activity').description('the audit log'))
  program
    .helpCommand(false) // commander's shows the help of `users` for `help users import`
    .command('help')
    .description('show the help of a command')
    .argument('[command...]', 'which, for example: users import')
    .action((words: string[]) => showHelp(program, words))
  return program
}

function showHelp(program: Command, words: readonly string[]): void {
  let command: Command = program
  for (const word of words) {
    const below = command.commands.find((one) => one.name() === word)
    if (below === undefined) command.error(`error: unknown command '${word}'`)
    command = below
  }
  command.help()
}

const passphraseOption = ['--passphrase-file <file>', 'a file with the passphrase that encrypts it'] as const

function addBackup(program: Command): void {
  const backup = program.command('backup').description('backups of database, avatars and secrets')
  backup
    .command('create')
    .description('write a backup while the service runs')
    .argument('<file>', 'where to, for example gatehouse.tar.zst')
    .option('--force', 'replace the file if it is there')
    .option(...passphraseOption)
    .action(async (file: string, options) => (await import('./backup.ts')).createBackupCommand(file, options))
  backup
    .command('verify')
    .description('read a whole backup and compare it with its sums; needs no settings')
    .argument('<file>', 'the backup')
    .option(...passphraseOption)
    .action(async (file: string, options) => (await import('./backup.ts')).verifyBackupCommand(file, options))
  program
    .command('restore')
    .description('restore a backup into an empty database and data folder')
    .argument('<file>', 'the backup')
    .option('--end-sessions', 'sign everybody out')
    .option(...passphraseOption)
    .action(async (file: string, options) => (await import('./backup.ts')).restoreCommand(file, options))
  program
    .command('move')
    .description('copy the database, while no node runs, into an empty one of either kind')
    .requiredOption('--to <url>', 'sqlite:PATH or postgres://user:password@host:5432/database')
    .action(async (options) => (await import('./backup.ts')).moveCommand(options))
}

function addActivity(activity: Command): void {
  activity
    .command('verify')
    .description('prove that no row of the log was changed, removed or added past the service; exit code 1 if one was')
    .option(...jsonOption)
    .action(async (options) => (await import('./activity.ts')).verifyActivityCommand(options))
}

function addKeys(keys: Command): void {
  keys
    .command('create')
    .description('issue a key and print it once')
    .requiredOption('--user <id|email|username>', 'the user it acts as')
    .requiredOption('--name <text>', 'its purpose')
    .option('--permissions <names>', "comma-separated; default: all of the owner's", listed)
    .option('--expires <timestamp>', 'YYYY-MM-DD HH:MM:SS, UTC; default: never')
    .option(...jsonOption)
    .action(async (options) => (await import('./keys.ts')).createKey(options))
  keys
    .command('list')
    .description('list keys; the secrets are not stored')
    .option('--user <id|email|username>', 'of one user only')
    .option(...jsonOption)
    .action(async (options) => (await import('./keys.ts')).listKeys(options))
  keys
    .command('revoke')
    .description('revoke a key at once')
    .argument('<id>', 'the id that list shows', whole(1, Number.MAX_SAFE_INTEGER))
    .action(async (id: number) => (await import('./keys.ts')).revokeKey(id))
}

function addUsers(users: Command): void {
  users
    .command('create')
    .description('create an Active user')
    .requiredOption('--email <address>')
    .option('--role <name>', 'its role', 'User')
    .option('--username <text>')
    .option('--first-name <text>')
    .option('--last-name <text>')
    .option('--password-stdin', 'read the password from standard input; default: generate and print one')
    .option(...jsonOption)
    .action(async (options) => (await import('./users.ts')).createUserCommand(options))
  users
    .command('list')
    .description('list users')
    .option('--search <text>', 'part of username, first name, last name or email')
    .addOption(oneOf('--status <status>', 'of one status only', userStatuses))
    .option('--sort <names>', 'e.g. -created_at,last_name', listed)
    .option(...pageOption)
    .option(...perPageOption)
    .option(...jsonOption)
    .action(async (options) => (await import('./users.ts')).listUsersCommand(options))
  addMovingUsers(users)
  users
    .command('set-password')
    .description('set a password; the sessions of the user end')
    .argument('<id|email|username>', 'whose')
    .option('--password-stdin', 'read the password from standard input; default: generate and print one')
    .action(async (user: string, options) => (await import('./set-password.ts')).setPasswordCommand(user, options))
  users
    .command('disable-2fa')
    .description('remove all second factors of a user who has lost them')
    .argument('<id|email|username>', 'whose')
    .action(async (user: string) => (await import('./disable-two-factor.ts')).disableTwoFactorCommand(user))
  users
    .command('recovery-codes')
    .description('make ten new recovery codes for a user and print them once; the old ones are void')
    .argument('<id|email|username>', 'whose')
    .action(async (user: string) => (await import('./disable-two-factor.ts')).recoveryCodesCommand(user))
}

function addDeliveries(deliveries: Command): void {
  deliveries
    .command('list')
    .description('list mail and SMS, newest first')
    .addOption(oneOf('--status <status>', 'of one status only', deliveryStatuses))
    .addOption(oneOf('--kind <kind>', 'of one kind only', deliveryKinds))
    .option(...pageOption)
    .option(...perPageOption)
    .option(...jsonOption)
    .action(async (options) => (await import('./deliveries.ts')).listDeliveries(options))
  deliveries
    .command('retry')
    .description('send a failed or queued message at once')
    .argument('<id>', 'the id that list shows', whole(1, Number.MAX_SAFE_INTEGER))
    .action(async (id: number) => (await import('./deliveries.ts')).retryDeliveryCommand(id))
}

function addRelease(deliveries: Command): void {
  deliveries
    .command('release')
    .description('send the mail, SMS and webhooks that waited when a backup was made and were held by its restore')
    .action(async () => (await import('./deliveries.ts')).releaseDeliveriesCommand())
}

function addMail(mail: Command): void {
  mail
    .command('test')
    .description('send a test mail through the configured server')
    .requiredOption('--to <address>', 'who gets it')
    .action(async (options) => (await import('./mail.ts')).testMail(options))
}

function addPlugins(plugins: Command): void {
  plugins
    .command('list')
    .description('list the plugins in GATEHOUSE_PLUGINS, and former ones with data')
    .option(...jsonOption)
    .action(async (options) => (await import('./plugins.ts')).listPluginsCommand(options))
  plugins
    .command('remove')
    .description('delete the data of a plugin that is not listed any more')
    .argument('<name>', 'the id that list shows')
    .option('--drop-data', 'delete its tables, permissions and settings; without it, say what would be lost')
    .action(async (name: string, options) => (await import('./plugins.ts')).removePluginCommand(name, options))
}
