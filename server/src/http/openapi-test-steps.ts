import { expect } from 'vitest'
import type { Answer, CallOptions } from '../testing/app.ts'
import { formHeaders, formOf } from '../testing/images.ts'
import { type DescribedOperation, mismatches, operations, parametersOf, resolve } from '../testing/openapi.ts'

/** Helpers for the tests of the OpenAPI document: its operations, and requests and answers in their terms. */

export const collectionOf = (path: string): string => `/${path.split('/')[1]}`

export interface Request {
  readonly id?: number | string | undefined
  readonly factor?: number
  readonly attempt?: number
  readonly query?: string
  readonly options?: CallOptions
}

/** The type of an answer that is never JSON: without asking for another, the first. */
function otherTypeOf(response: { content: object } | undefined): string | undefined {
  const [type] = Object.keys(response?.content ?? {})
  return type === 'application/json' ? undefined : type
}

export function expectAsDescribed(
  { method, path, responses }: DescribedOperation,
  { status, body, text, headers }: Answer,
): void {
  expect(Object.keys(responses)).toContain(String(status))
  const other = otherTypeOf(responses[String(status)])
  if (other !== undefined) {
    expect(headers['content-type']).toBe(`${other}; charset=utf-8`)
    if (other === 'text/html') expect(text).toMatch(/^<!doctype html>/i)
    return
  }
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  const answer = ['paths', path, method.toLowerCase(), 'responses', status, 'content', 'application/json', 'schema']
  expect(mismatches(answer, body)).toEqual([])
}

export const takesFile = ({ requestBody }: DescribedOperation): boolean =>
  requestBody !== undefined && 'multipart/form-data' in requestBody.content

/** A form whose content is ignored. */
export const takesForm = (operation: DescribedOperation): boolean =>
  !takesFile(operation) && operation.responses['415']?.description === 'The body is not a form.'

export const urlencoded = (body: string): CallOptions => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})

export const form = (bytes: Buffer): CallOptions => ({
  headers: formHeaders,
  body: formOf([{ name: 'file', bytes, filename: 'ada.png' }]),
})

export const successOf = ({ responses }: DescribedOperation): number =>
  Number(Object.keys(responses).find((status) => status.startsWith('2')))
/** Files instead of JSON: their own tests call them. */
const streamed = new Set(['importUsers', 'exportUsers'])
export const jsonOperations = operations.filter(({ operationId }) => !streamed.has(operationId))

/** What creates an object that the later cases use. */
const isCreation = (operation: DescribedOperation): boolean =>
  operation.path !== '/register' && successOf(operation) === 201
export const creations = jsonOperations.filter(isCreation)
/** Parts of an object are deleted before the object. */
export const deletions = jsonOperations
  .filter(({ method }) => method === 'DELETE')
  .toSorted((a, b) => b.path.split('/').length - a.path.split('/').length)
export const reads = jsonOperations.filter(({ method }) => method === 'GET')
export const changes = jsonOperations.filter((operation) => ![creations, reads, deletions].flat().includes(operation))

/** Operations without authentication are called without a credential. */
export const publicly = ({ security }: DescribedOperation): CallOptions => (security === undefined ? {} : { key: null })

export const wrongFields = (operation: DescribedOperation): Record<string, unknown> => {
  const schema = takesFile(operation) ? undefined : operation.requestBody?.content['application/json'].schema
  const names = Object.keys(schema === undefined ? {} : (resolve(schema).properties ?? {}))
  return Object.fromEntries(names.map((name) => [name, {}]))
}

/** A body that accepts any object has no fields that could be invalid. */
export const isFree = ({ requestBody }: DescribedOperation): boolean => {
  const schema = requestBody?.content['application/json']?.schema
  return schema !== undefined && resolve(schema).properties === undefined
}

export const filtersOf = (operation: DescribedOperation): string[] =>
  parametersOf(operation, 'query')
    .map(({ name }) => name)
    .filter((name) => name.startsWith('filter['))
