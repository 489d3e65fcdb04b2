import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { ConfigError } from './config-values.ts'

const suffix = '_FILE'
/** These may begin and end with a quote. */
const mayBeQuoted = ['GATEHOUSE_ADMIN_PASSWORD']

/** The environment of a process, or a part of it. */
export type Environment = Record<string, string | undefined>

/** The only setting that can be empty: no plugins. */
const mayBeEmpty = 'GATEHOUSE_PLUGINS'

/** True for the name of a setting, and for that name with `_FILE`. */
export const isKnownName = (name: string, names: readonly string[]): boolean =>
  names.includes(name) || (name.endsWith(suffix) && names.includes(name.slice(0, -suffix.length)))

/** The text of a file without the byte order mark that editors on Windows write; undefined if it is not UTF-8. */
function readText(path: string): string | undefined {
  const bytes = readFileSync(path)
  return isUtf8(bytes) ? bytes.toString().replace(/^\uFEFF/, '') : undefined
}

function readValue(name: string, path: string): string {
  try {
    const text = readText(path)
    if (text !== undefined) return text.replace(/\r?\n$/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(`${name}: ${path} cannot be read (${code}). Name a file that this user may read.`)
  }
  throw new ConfigError(`${name}: ${path} is not UTF-8. Store it as UTF-8.`)
}

/** Only `.env` and shells take quotes away; the lists of variables of Docker, for example, keep them. */
export function refuseQuotes(env: Environment, names: readonly string[]): void {
  const quoted = names.find((name) => !mayBeQuoted.includes(name) && /^(["'`]).*\1$/s.test(env[name]?.trim() ?? ''))
  if (quoted !== undefined)
    throw new ConfigError(`${quoted}: the quotes around it are part of the value. Write it without them.`)
}

/** An assignment as `parseEnv` reads it, which skips all other lines. A value in quotes can have several lines. */
const assignment = /^[ \t]*(?:export[ \t]+)?[^\s=#\p{Cc}]+[ \t]*=[ \t]*(?:"[^"]*"|'[^']*'|`[^`]*`)?.*$/gmu

/** An assignment without quotes whose value ends at a `#` that begins no comment: a password, for example, would be cut. */
const cut = /^[ \t]*(?:export[ \t]+)?GATEHOUSE_[^=]*=(?:[ \t]*(?!["'`\s])[^#\n]*[^\s#])?#/

/** The settings in a file `.env`; none if there is no such file. A line that is no assignment is refused, and not shown. */
export function readDotEnv(path: string): Environment {
  let text: string | undefined
  try {
    text = readText(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new ConfigError(`.env: cannot be read (${(error as Error).message})`)
  }
  if (text === undefined) throw new ConfigError('.env: it is not UTF-8. Store it as UTF-8.')
  for (const { 0: found, index } of text.matchAll(assignment)) {
    if (!cut.test(found)) continue
    const line = text.slice(0, index).split('\n').length
    throw new ConfigError(`.env: line ${line} is cut at its #. Write the value in quotes, or a space before a comment.`)
  }
  const rest = text.replaceAll(assignment, (found) => found.replaceAll(/.+/g, '')).split('\n')
  const wrong = rest.findIndex((line) => /^\s*[^\s#]/.test(line))
  if (wrong === -1) return parseEnv(text)
  throw new ConfigError(`.env: line ${wrong + 1} is no assignment. Write NAME=value, or # before a comment.`)
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
