import { errors, validationFailed } from '../../core/errors.ts'
import { excerpts } from '../../core/excerpt.ts'
import type { FirebaseParameters } from '../passwords/foreign-hashes.ts'
import { conflicts, type OnConflict } from './import.schemas.ts'

/** What was asked for beside the file. */
export interface ImportOptions {
  readonly dry_run: boolean
  readonly on_conflict: OnConflict
  readonly ignore_unknown: boolean
  readonly notify: 'invite' | null
  readonly hash_parameters: FirebaseParameters | null
}

const names = ['dry_run', 'on_conflict', 'ignore_unknown', 'notify', 'hash_parameters']
const booleans = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
])
const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/

function parseHashParameters(text: string): FirebaseParameters | undefined {
  let given: Partial<Record<keyof FirebaseParameters | 'algorithm', unknown>>
  try {
    given = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof given !== 'object' || given === null) return undefined
  const { algorithm, base64_signer_key, base64_salt_separator, rounds, mem_cost } = given
  const isText = (value: unknown): value is string =>
    typeof value === 'string' && value.length <= 512 && base64.test(value)
  const isNumber = (value: unknown, max: number): value is number =>
    Number.isInteger(value) && Number(value) >= 1 && Number(value) <= max
  if (algorithm !== undefined && algorithm !== 'SCRYPT') return undefined
  if (!isText(base64_signer_key) || !isText(base64_salt_separator)) return undefined
  if (!isNumber(rounds, 128) || !isNumber(mem_cost, 20)) return undefined
  return { base64_signer_key, base64_salt_separator, rounds, mem_cost }
}

/** Reads the query of an import; throws 400 for an unknown name, 422 for a value that cannot be read. */
export function parseImportOptions(query: URLSearchParams): ImportOptions {
  const unknown = [...query.keys()].filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw errors.malformed_request(`Unknown parameter ${excerpts(unknown)}. Allowed: ${names.join(', ')}.`)
  }
  const wrong: Record<string, string[]> = {}
  const read = <T>(name: string, otherwise: T, parse: (text: string) => T | undefined, expected: string): T => {
    const [text, ...others] = query.getAll(name)
    if (others.length > 0) wrong[name] = [`The ${name} parameter must be given once.`]
    if (text === undefined || others.length > 0) return otherwise
    const value = parse(text)
    if (value === undefined) wrong[name] = [`The ${name} parameter must be ${expected}.`]
    return value ?? otherwise
  }
  const flag = (name: string) => read<boolean>(name, false, (text) => booleans.get(text), '1 or 0')
  const options: ImportOptions = {
    dry_run: flag('dry_run'),
    ignore_unknown: flag('ignore_unknown'),
    on_conflict: read<OnConflict>(
      'on_conflict',
      'fail',
      (text) => conflicts.find((choice) => choice === text),
      'fail, skip or update',
    ),
    notify: read<'invite' | null>('notify', null, (text) => (text === 'invite' ? text : undefined), 'invite'),
    hash_parameters: read<FirebaseParameters | null>(
      'hash_parameters',
      null,
      parseHashParameters,
      'JSON with algorithm "SCRYPT", base64_signer_key, base64_salt_separator, rounds and mem_cost',
    ),
  }
  if (Object.keys(wrong).length > 0) throw validationFailed(wrong)
  return options
}
