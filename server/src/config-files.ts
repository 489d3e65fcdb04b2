import { readFileSync } from 'node:fs'
import { ConfigError } from './config-values.ts'

const suffix = '_FILE'

/** The environment of a process, or a part of it. */
export type Environment = Record<string, string | undefined>

/** The only setting that can be empty: no plugins. */
const mayBeEmpty = 'GATEHOUSE_PLUGINS'

/** True for the name of a setting, and for that name with `_FILE`. */
export const isKnownName = (name: string, names: readonly string[]): boolean =>
  names.includes(name) || (name.endsWith(suffix) && names.includes(name.slice(0, -suffix.length)))

function readValue(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${name}: ${path} cannot be read (${code}). Name a file that this user may read.`)
  }
}

/**
 * The environment with the values that are in files: `GATEHOUSE_X_FILE` names the file of `GATEHOUSE_X`, as the secrets of
 * Docker, Kubernetes and systemd are passed. One line end at the end of the file is removed.
 */
export function readSettingFiles(env: Environment, names: readonly string[]): Environment {
  const read: Environment = { ...env }
  for (const name of names) {
    const path = env[name + suffix]?.trim() || undefined
    if (path === undefined) continue
    if (env[name]) throw new ConfigError(`${name}: ${name}${suffix} is set, too. Set one of them.`)
    const value = readValue(name + suffix, path)
    // A secret that never arrived must not mean the default, such as another database.
    if (value.trim() === '' && name !== mayBeEmpty)
      throw new ConfigError(`${name}${suffix}: ${path} is empty. Write the value into it, or leave the setting out.`)
    read[name] = value
  }
  return read
}
