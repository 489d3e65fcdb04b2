import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import { errors, type ServiceError, validationFailed } from '../core/errors.ts'
import { createFormParser, malformedForm, piecesOf } from './form-parser.ts'
import { jsonLimits } from './json-limits.ts'

/**
 * The fields of a form in the form of JSON: a text each, a list of texts if the name ends with `[]` or `[0]`, or an object of
 * texts if it ends with a name: `filter[status]`. What is nested deeper makes an object, too, which no field accepts.
 */
export type FormFields = Record<string, unknown>

const tooMany = () => validationFailed({ body: [`The body must not have more than ${jsonLimits.keys} fields.`] })
const notUtf8 = () => errors.malformed_request('The request body is not valid UTF-8.')

/** Without a prototype, because a field may have any name. */
const noFields = (): FormFields => Object.create(null)

/** True for an object that names in brackets have made; that of a file is not. */
const isMade = (value: unknown): value is FormFields =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null

function addField(fields: FormFields, name: string, value: unknown): void {
  const [, outer = name, inner] = /^([^[]+)\[(.*)\]$/s.exec(name) ?? []
  const before = fields[outer]
  if (inner === undefined) fields[name] = value
  else if (!/^\d{0,4}$/.test(inner)) {
    const made = isMade(before) ? before : noFields() // changed in place: a copy for each name would cost quadratic time
    made[inner] = value
    fields[outer] = made
  } else if (Array.isArray(before)) before.push(value)
  else fields[outer] = [value]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformedForm()
  }
}

/** The fields of `application/x-www-form-urlencoded`; throws `malformed_request` if the decoded text is not UTF-8. */
export function readUrlencoded(bytes: Buffer): FormFields {
  if (!isUtf8(bytes)) throw notUtf8()
  const fields = noFields()
  const text = bytes.toString('utf8')
  let count = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('&', start)
    const pair = text.slice(start, end < 0 ? text.length : end)
    start += pair.length + 1
    if (pair === '') continue
    if (++count > jsonLimits.keys) throw tooMany()
    const equals = pair.indexOf('=')
    if (equals < 0) addField(fields, decode(pair), '')
    else addField(fields, decode(pair.slice(0, equals)), decode(pair.slice(equals + 1)))
  }
  return fields
}

/** The value of a file in a text field: no field accepts it. */
const file = {}

/** The fields of `multipart/form-data`, read in memory, a piece in each turn of the event loop. Files are discarded. */
export async function readMultipart(contentType: string, bytes: Buffer): Promise<FormFields> {
  const fields = noFields()
  let hasFile = false
  let refusal: ServiceError | undefined
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const refuse = (error: ServiceError) => {
    refusal ??= error
    end()
  }
  // Text parts are read as streams, too: their bytes must be valid UTF-8, whatever charset a part declares.
  const limits = { parts: jsonLimits.keys, headerPairs: 20 }
  const form = createFormParser(contentType, { isPartAFile: () => true, limits })
  form.on('file', (name, stream, fileName, _encoding, type) => {
    const isFile = fileName !== undefined || type === 'application/octet-stream'
    hasFile ||= isFile
    const chunks: Buffer[] = []
    stream.on('error', () => refuse(malformedForm()))
    stream.on('data', (chunk: Buffer) => {
      if (!isFile) chunks.push(chunk)
    })
    stream.on('end', () => {
      const value = Buffer.concat(chunks)
      if (!isUtf8(value)) refuse(notUtf8())
      else if (name !== undefined) addField(fields, name, isFile ? file : value.toString('utf8'))
    })
  })
  form.on('partsLimit', () => refuse(tooMany()))
  form.on('error', () => refuse(malformedForm()))
  form.on('finish', end)
  for (const piece of piecesOf(bytes)) {
    form.write(piece)
    await setImmediate()
    if (refusal !== undefined) break
  }
  if (refusal === undefined) form.end()
  await ended
  if (refusal === undefined && !hasFile && !isUtf8(bytes)) refusal = notUtf8() // the names, too
  if (refusal !== undefined) throw refusal
  return fields
}
