import type { ErrorObject } from 'ajv'

const label = (field: string): string => field.replaceAll('_', ' ')

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

const formats: Record<string, string> = {
  email: 'must be a valid email address.',
  'http-url': 'must be an http or https address.',
  date: 'must be a real date, written YYYY-MM-DD.',
  timestamp: 'must be a real moment in UTC, written YYYY-MM-DD HH:MM:SS.',
}

const firstType = (type: unknown): string => {
  const types = Array.isArray(type) ? type : [type]
  return typeNames[String(types.find((name) => name !== 'null'))] ?? 'of the right type'
}

export const requiredMessage = (field: string): string => `The ${label(field)} field is required.`

/** Messages for failed validation keywords, in Laravel's wording. */
export function messageFor(field: string, error: ErrorObject, value: unknown): string {
  const subject = `The ${label(field)} field`
  const { params } = error
  if (error.instancePath.split('/').length > 2)
    return `${subject} holds an element that is not ${firstType(params.type)}.`
  if (error.keyword === 'required' || (error.keyword === 'type' && value === null)) return requiredMessage(field)
  switch (error.keyword) {
    case 'type':
      return `${subject} must be ${firstType(params.type)}.`
    case 'minLength':
      return `${subject} must be at least ${params.limit} characters.`
    case 'maxLength':
      return `${subject} must not be greater than ${params.limit} characters.`
    case 'minimum':
      return `${subject} must be at least ${params.limit}.`
    case 'maximum':
      return `${subject} must not be greater than ${params.limit}.`
    case 'maxItems':
      return `${subject} must not have more than ${params.limit} items.`
    case 'enum':
      return `${subject} must be one of ${[...new Set((params.allowedValues as unknown[]).filter((allowed) => allowed !== null).map(String))].join(', ')}.`
    case 'format':
      return `${subject} ${formats[String(params.format)] ?? 'is not valid.'}`
    default:
      return `${subject} is not valid.`
  }
}
