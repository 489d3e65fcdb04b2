import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { type ServiceError, validationFailed } from './errors.ts'
import { choicesOf, messageFor, requiredMessage } from './field-messages.ts'
import { isEmail, isHttpUrl } from './formats.ts'
import { isStorable } from './text.ts'
import { isDate, isTimestamp } from './time.ts'
import { type FieldSchema, readValue } from './values.ts'

/** More messages than this are of no use, and a hostile body could cause an answer of megabytes. */
const maxMessages = 20

/**
 * A request body: the fields with the right shape, and the errors of the others. The rules of a service add their errors, so
 * that one answer names every failing field.
 */
export class Draft<T> {
  /** The fields that were sent and have the right shape; only the schema's names. */
  readonly given: Partial<T>
  readonly #messages = new Map<string, Map<string, string>>()

  constructor(given: Partial<T>) {
    this.given = given
  }

  /** Rejects a field. A declared error's code becomes the answer's code if nothing else failed. */
  reject(field: string, why: string | ServiceError): void {
    const { message, code } = typeof why === 'string' ? { message: why, code: 'validation_failed' } : why
    const messages = this.#messages.get(field) ?? new Map<string, string>()
    if (messages.size < maxMessages) this.#messages.set(field, messages.set(message, code))
  }

  /** True if the field was rejected already. */
  isRejected(field: string): boolean {
    return this.#messages.has(field)
  }

  /** What was rejected, message by message. */
  get failures(): { readonly field: string; readonly code: string; readonly message: string }[] {
    return [...this.#messages].flatMap(([field, messages]) =>
      [...messages].map(([message, code]) => ({ field, code, message })),
    )
  }

  /** A draft of the same fields, with what was rejected so far: its rules can be run again. */
  fork(): Draft<T> {
    const fork = new Draft<T>({ ...this.given })
    for (const [field, messages] of this.#messages) fork.#messages.set(field, new Map(messages))
    return fork
  }

  /** Lets a field be absent that the schema requires; what was sent is still checked. */
  waive(field: string): void {
    const messages = this.#messages.get(field)
    messages?.delete(requiredMessage(field))
    if (messages?.size === 0) this.#messages.delete(field)
  }

  /** Returns the whole body after all rules have run; throws `validation_failed` with every rejected field. */
  accept(): T {
    if (this.#messages.size === 0) return this.given as T
    const fields: Record<string, string[]> = {}
    const codes = new Set<string>()
    for (const [field, messages] of this.#messages) {
      fields[field] = [...messages.keys()]
      for (const code of messages.values()) codes.add(code)
    }
    const [first, ...others] = codes
    throw validationFailed(fields, others.length === 0 ? first : undefined)
  }
}

/** A draft as the rules of some of its fields see it: they may reject, and `accept` is left to the owner of the whole body. */
export type DraftFields<T> = Pick<Draft<T>, 'given' | 'reject' | 'isRejected'>

// `allErrors` is safe here: bodies are limited in size, and no schema nests.
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true, verbose: true })
ajv.addFormat('date', isDate)
ajv.addFormat('timestamp', isTimestamp)
ajv.addFormat('password', true)
ajv.addFormat('email', isEmail)
ajv.addFormat('http-url', isHttpUrl)

/** True if the schema allows the value as it is, without reading it as the type of its field. */
export const fits = (schema: TSchema, value: unknown): boolean => ajv.validate(schema, value) === true

/** The limit that a value exceeds so far that no further check is worthwhile: formats and lists cost time. */
function excessOf({ maxLength, maxItems }: FieldSchema, value: unknown): Partial<ErrorObject> | undefined {
  // A character has one or two code units, so the count matters only up to twice the limit.
  if (typeof value === 'string' && maxLength !== undefined && value.length > 2 * maxLength)
    return { keyword: 'maxLength', params: { limit: maxLength } }
  if (Array.isArray(value) && maxItems !== undefined && value.length > maxItems)
    return { keyword: 'maxItems', params: { limit: maxItems } }
  return undefined
}

const isUnstorableText = (value: unknown): boolean => typeof value === 'string' && !isStorable(value)

/** Checks only the elements of a list: no schema nests, and a hostile body would exhaust the stack. */
const unstorable = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isUnstorableText) : isUnstorableText(value)

/** Checks any depth: bodies nest at most `jsonLimits.depth` levels. */
const unstorableAnywhere = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return isUnstorableText(value)
  return Object.entries(value).some(([name, inner]) => isUnstorableText(name) || unstorableAnywhere(inner))
}

/** A schema without properties accepts any object. */
function readFreely<T>(body: unknown): Draft<T> {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const draft = new Draft<T>((isObject ? body : {}) as Partial<T>)
  if (!isObject && body != null) draft.reject('body', notAnObject)
  else if (unstorableAnywhere(body)) draft.reject('body', invalidText)
  return draft
}

const notAnObject = 'The body must be a JSON object.'
const invalidText = 'The text must be valid Unicode without the NUL character.'

/** Rejects a password and its confirmation where they differ in more than their Unicode form. */
export function checkConfirmation(draft: Pick<DraftFields<unknown>, 'reject'>, name: string, given: object): void {
  const { [name]: password, [`${name}_confirmation`]: confirmation } = given as Record<string, unknown>
  if (typeof password !== 'string' || typeof confirmation !== 'string') return
  // The same text in another form is at most four times as long. To put a long row of accents in order takes quadratic time.
  const mayBeSame = confirmation.length <= 4 * password.length
  if (mayBeSame && password.normalize('NFC') === confirmation.normalize('NFC')) return
  draft.reject(name, `The ${name} field confirmation does not match.`)
  draft.reject(`${name}_confirmation`, `The ${name} confirmation field must match ${name}.`)
}

/** Errors of a union that tell nobody anything: that no branch fits, or that null would have. The other branches say what is wrong. */
const isOfUnion = (error: ErrorObject): boolean =>
  (error.keyword === 'anyOf' && choicesOf(error) === undefined) ||
  (error.keyword === 'type' && error.params.type === 'null')

const fieldOf = (error: ErrorObject): string =>
  error.keyword === 'required' ? String(error.params.missingProperty) : (error.instancePath.split('/')[1] ?? '')

const validators = new WeakMap<TSchema, ValidateFunction>()

/** Compiled on first use, to keep it out of the start, and once for each schema. */
function validatorOf(schema: TSchema): ValidateFunction {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const { $id: _, ...unnamed } = schema as TSchema & { $id?: string } // each app of a process may have its own schema under a name
  const validate = ajv.compile(unnamed)
  validators.set(schema, validate)
  return validate
}

/** Returns a parser of bodies for a schema. It never throws: errors are in the draft. */
export function compileDraft<S extends TSchema>(schema: S): (body: unknown) => Draft<Static<S>> {
  if (!('properties' in schema)) return readFreely
  const { properties: fields = {}, required = [] } = schema as { properties?: object; required?: string[] }
  const properties = Object.entries(fields) as [string, FieldSchema][]
  const passwords = new Set(properties.filter(([, { format }]) => format === 'password').map(([name]) => name))
  /** True for an empty password, and for the empty confirmation of one: in a form that does not require them it means no change. */
  const isEmptyPassword = (name: string, value: unknown, given: Record<string, unknown>): boolean => {
    if ((value !== null && value !== '') || !passwords.has(name)) return false
    const [confirmed = ''] = name.split('_confirmation')
    return confirmed === name || given[confirmed] == null
  }
  return (body) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const sent = (isObject ? body : {}) as Record<string, unknown>
    const given: Record<string, unknown> = {}
    const excesses: (readonly [name: string, error: Partial<ErrorObject>])[] = []
    for (const [name, field] of properties) {
      if (!Object.hasOwn(sent, name)) continue
      const excess = excessOf(field, sent[name])
      if (excess !== undefined) excesses.push([name, excess])
      else {
        const value = readValue(field, sent[name])
        if (!isEmptyPassword(name, value, given)) given[name] = value
        else if (required.includes(name)) given[name] = null
      }
    }
    const validate = validatorOf(schema)
    const failed = validate(given) ? [] : (validate.errors ?? [])
    const draft = new Draft<Static<S>>(given as Partial<Static<S>>)
    if (!isObject && body != null) draft.reject('body', notAnObject)
    const bad = new Set<string>()
    for (const [name, error] of excesses) {
      bad.add(name)
      draft.reject(name, messageFor(name, { instancePath: `/${name}`, ...error } as ErrorObject, undefined, false))
    }
    for (const [name, value] of Object.entries(given)) {
      if (!unstorable(value)) continue
      bad.add(name)
      draft.reject(name, invalidText)
    }
    // The values that are allowed say more than the type that they have.
    const listed = new Set(
      failed.filter((error) => choicesOf(error) !== undefined).map(({ instancePath }) => instancePath),
    )
    for (const error of failed) {
      const name = fieldOf(error)
      if (bad.has(name) || (listed.has(`/${name}`) && choicesOf(error) === undefined) || isOfUnion(error)) continue
      draft.reject(name, messageFor(name, error, given[name], required.includes(name)))
    }
    for (const error of failed) bad.add(fieldOf(error))
    // The rules of passwords do not see one that is too short; it may be mistyped, too.
    for (const name of passwords) if (bad.has(name)) checkConfirmation(draft, name, given)
    for (const name of bad) delete given[name]
    return draft
  }
}
