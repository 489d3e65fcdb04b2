import { type Config, ConfigError, loadConfig } from '../../config.ts'
import { reasonOf } from '../../db/failures.ts'
import { checkBreachedFile } from '../../features/passwords/breached-passwords.ts'
import { loadPlugins } from '../../plugin-host/load.ts'
import { version } from '../../version.ts'
import { printJson, printLine } from '../output.ts'
import { CommandFailed } from '../run-failure.ts'
import { broken, type Finding, ok } from './check.ts'
import { checkDatabase, checkReplicas } from './database.ts'
import { checkAddress, checkClock, checkDataFolder, checkDisk, checkListening, checkProgram } from './machine.ts'
import { checkMail, checkSms, checkStorage } from './services.ts'

async function checkPlugins({ plugins }: Config): Promise<Finding> {
  try {
    const loaded = await loadPlugins(plugins)
    return ok('plugins', loaded.map(({ plugin }) => plugin.id).join(', ') || 'none')
  } catch (error) {
    return broken('plugins', (error as Error).message, 'Correct GATEHOUSE_PLUGINS, or install the package.')
  }
}

async function checkBreached({ breachedPasswords: path }: Config): Promise<Finding[]> {
  if (path === null) return []
  try {
    await checkBreachedFile(path)
    return [ok('passwords', `${path} has breached ones`)]
  } catch (error) {
    const found = `${path} cannot be used (${reasonOf(error)})`
    return [broken('passwords', found, 'Name a file of SHA-1 hashes, in their order, in GATEHOUSE_BREACHED_PASSWORDS.')]
  }
}

/** Looks at everything that the service needs, and changes nothing. */
async function examine(): Promise<Finding[]> {
  const found = [checkProgram(version), ...checkClock()]
  let config: Config
  try {
    config = loadConfig()
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return [...found, broken('configuration', error.message, 'Correct this setting; the other checks need it.')]
  }
  const services = await Promise.all([
    checkDatabase(config),
    checkReplicas(config),
    checkMail(config),
    checkSms(config),
    checkStorage(config),
    checkPlugins(config),
    checkBreached(config),
  ])
  return [
    ...found,
    ok('configuration', 'every setting can be read'),
    checkAddress(config),
    await checkListening(config),
    checkDataFolder(config),
    checkDisk(config),
    ...services.flat(),
  ]
}

const nameWidth = 14
const stateWidth = 9

/** Some findings are messages, which end with a full stop already. */
const toSentence = (text: string): string => (/[.?!]$/.test(text) ? text : `${text}.`)

const toLine = ({ check, state, found, advice }: Finding): string =>
  `${state.padEnd(stateWidth)}${check.padEnd(nameWidth)}${advice === null ? found : `${toSentence(found)} ${advice}`}`

/** Prints a line for each check, with what to do. Fails if something is broken. */
export async function doctor({ json }: { json?: true }): Promise<void> {
  const findings = await examine()
  const isSound = findings.every(({ state }) => state !== 'broken')
  if (json === true) printJson({ ok: isSound, checks: findings })
  else printLine(findings.map(toLine).join('\n'))
  if (!isSound) throw new CommandFailed()
}
