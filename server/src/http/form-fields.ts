import { isUtf8 } from 'node:buffer'
import { Busboy, type BusboyHeaders } from '@fastify/busboy'
import { errors, type ServiceError, validationFailed } from '../core/errors.ts'
import { jsonLimits } from './json-limits.ts'

/** The fields of a form in the form of JSON: a text each, or a list of texts if the name ends with `[]` or `[0]`. */
export type FormFields = Record<string, unknown>

const tooMany = () => validationFailed({ body: [`The body must not have more than ${jsonLimits.keys} fields.`] })
const malformed = () => errors.malformed_request('The request body is not a whole form.')

/** Without a prototype, because a field may have any name. */
const noFields = (): FormFields => Object.create(null)

function addField(fields: FormFields, name: string, value: unknown): void {
  const list = /^(.+)\[\d{0,4}\]$/s.exec(name)?.[1]
  if (list === undefined) fields[name] = value
  else if (Array.isArray(fields[list])) fields[list].push(value)
  else fields[list] = [value]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw malformed()
  }
}

/** The fields of `application/x-www-form-urlencoded`; throws `malformed_request` if the decoded text is not UTF-8. */
export function readUrlencoded(bytes: Buffer): FormFields {
  if (!isUtf8(bytes)) throw errors.malformed_request('The request body is not valid UTF-8.')
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

/** The fields of `multipart/form-data`, read in memory. Files are discarded. */
export function readMultipart(contentType: string, bytes: Buffer): Promise<FormFields> {
  const { promise, resolve, reject } = Promise.withResolvers<FormFields>()
  const fields = noFields()
  let hasFile = false
  const refuse = (error: () => ServiceError) => () => reject(error())
  try {
    const form = new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: { fields: jsonLimits.keys, files: 100, fieldSize: bytes.length, headerPairs: 20 },
    })
    form.on('field', (name, value) => {
      if (name !== undefined) addField(fields, name, value)
    })
    form.on('file', (name, stream) => {
      hasFile = true
      if (name !== undefined) addField(fields, name, file)
      stream.on('error', refuse(malformed)).resume()
    })
    form.on('fieldsLimit', refuse(tooMany)).on('filesLimit', refuse(tooMany)).on('error', refuse(malformed))
    form.on('finish', () => {
      if (hasFile || isUtf8(bytes)) resolve(fields)
      else reject(errors.malformed_request('The request body is not valid UTF-8.'))
    })
    form.end(bytes)
  } catch {
    reject(malformed())
  }
  return promise
}
