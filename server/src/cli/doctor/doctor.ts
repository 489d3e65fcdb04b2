import { type Config, ConfigError, loadConfig } from '../../config.ts'
import { loadPlugins } from '../../plugin-host/load.ts'
import { version } from '../../version.ts'
import { printJson } from '../output.ts'
import { CommandFailed } from '../run-failure.ts'
import { broken, type Finding, ok } from './check.ts'
import { checkDatabase } from './database.ts'
import { checkAddress, checkClock, checkDisk, checkFolder, checkProgram } from './machine.ts'
import { checkMail, checkSms, checkStorage } from './services.ts'

async function checkPlugins({ plugins }: Config): Promise<Finding> {
  try {
    const loaded = await loadPlugins(plugins)
    return ok('plugins', loaded.map(({ plugin }) => plugin.id).join(', ') || 'none')
  } catch (error) {
    return broken('plugins', (error as Error).message, 'Correct GATEHOUSE_PLUGINS, or install the package.')
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
    checkMail(config),
    checkSms(config),
    checkStorage(config),
    checkPlugins(config),
  ])
  return [
    ...found,
    ok('configuration', 'every setting can be read'),
    checkAddress(config),
    checkFolder('data folder', config.dataDir, 'GATEHOUSE_DATA_DIR'),
    checkDisk(config),
    ...services.flat(),
  ]
}

const nameWidth = 14
const stateWidth = 9

const toLine = ({ check, state, found, advice }: Finding): string =>
  `${state.padEnd(stateWidth)}${check.padEnd(nameWidth)}${found}${advice === null ? '' : `. ${advice}`}`

/** Prints a line for each check, with what to do. Fails if something is broken. */
export async function doctor({ json }: { json?: true }): Promise<void> {
  const findings = await examine()
  const isSound = findings.every(({ state }) => state !== 'broken')
  if (json === true) printJson({ ok: isSound, checks: findings })
  else process.stdout.write(`${findings.map(toLine).join('\n')}\n`)
  if (!isSound) throw new CommandFailed()
}
