import { Ajv, type ErrorObject } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { type ServiceError, validationFailed } from './errors.ts'
import { messageFor } from './field-messages.ts'
import { isEmail, isHttpUrl } from './formats.ts'
import { isStorable } from './text.ts'
import { isDate, isTimestamp } from './time.ts'

/**
 * A body as it came in: the fields whose shape is right, and what is wrong with the others. The rules of a service add
 * what they find, so that one answer names every failing field at once.
 */
export class Draft<T> {
  /** The fields that were sent and have the right shape; the names are the schema's alone. */
  readonly given: Partial<T>
  readonly #messages = new Map<string, Map<string, string>>()

  constructor(given: Partial<T>) {
    this.given = given
  }

  /** Notes that a field cannot be taken. A declared error's code becomes the answer's when nothing else is wrong. */
  reject(field: string, why: string | ServiceError): void {
    const { message, code } = typeof why === 'string' ? { message: why, code: 'validation_failed' } : why
    const messages = this.#messages.get(field) ?? new Map<string, string>()
    this.#messages.set(field, messages.set(message, code))
  }

  /** The whole body, once every rule has had its say; throws `validation_failed` with all that was rejected. */
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

// `allErrors` is safe here: bodies are bounded in size, and no schema nests.
const ajv = new Ajv({ allErrors: true, strict: false, validateFormats: true })
ajv.addFormat('date', isDate)
ajv.addFormat('timestamp', isTimestamp)
ajv.addFormat('password', true)
ajv.addFormat('email', isEmail)
ajv.addFormat('http-url', isHttpUrl)

interface FieldSchema {
  type?: string | string[]
  format?: string
}

/** Trims text, makes empty text null as Laravel-style clients expect, and finds what no database can hold. Passwords stay as they are. */
function readField(schema: FieldSchema, value: unknown): unknown {
  if (typeof value !== 'string' || schema.format === 'password') return value
  const text = value.trim()
  return text === '' ? null : text
}

const isUnstorableText = (value: unknown): boolean => typeof value === 'string' && !isStorable(value)

/** Looks no deeper than a list's elements: no schema nests, and a hostile body would exhaust the stack. */
const unstorable = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isUnstorableText) : isUnstorableText(value)

const fieldOf = (error: ErrorObject): string =>
  error.keyword === 'required' ? String(error.params.missingProperty) : (error.instancePath.split('/')[1] ?? '')

/** Makes a reader of bodies from a schema. It never throws: what is wrong is in the draft. */
export function compileDraft<S extends TSchema>(schema: S): (body: unknown) => Draft<Static<S>> {
  const { $id: _, ...unnamed } = schema as TSchema & { $id?: string } // each app of a process may have its own under a name
  const validate = ajv.compile(unnamed)
  const properties = Object.entries((schema as { properties?: object }).properties ?? {}) as [string, FieldSchema][]
  return (body) => {
    const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
    const sent = (isObject ? body : {}) as Record<string, unknown>
    const given: Record<string, unknown> = {}
    for (const [name, field] of properties) {
      if (Object.hasOwn(sent, name)) given[name] = readField(field, sent[name])
    }
    const failed = validate(given) ? [] : (validate.errors ?? [])
    const draft = new Draft<Static<S>>(given as Partial<Static<S>>)
    if (!isObject && body != null) draft.reject('body', 'The body must be a JSON object.')
    const bad = new Set<string>()
    for (const [name, value] of Object.entries(given)) {
      if (!unstorable(value)) continue
      bad.add(name)
      draft.reject(name, 'The text must be valid Unicode without the NUL character.')
    }
    for (const error of failed) {
      const name = fieldOf(error)
      if (!bad.has(name)) draft.reject(name, messageFor(name, error, given[name]))
    }
    for (const error of failed) bad.add(fieldOf(error))
    for (const name of bad) delete given[name]
    return draft
  }
}
