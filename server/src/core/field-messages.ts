import type { ErrorObject } from 'ajv'

/** The name of a setting has a dot and stays as it is. */
const label = (field: string): string => (field.includes('.') ? field : field.replaceAll('_', ' '))

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
  'http-url': 'must be an http or https address without credentials.',
  date: 'must be a real date, written YYYY-MM-DD.',
  timestamp: 'must be a real moment in UTC, written YYYY-MM-DD HH:MM:SS.',
}

/** What one of these JSON types is called: `a string or an integer`. */
function typeName(type: unknown): string {
  const names = [type].flat().map((name) => typeNames[String(name)])
  return names.filter((name) => name !== undefined).join(' or ') || 'of the right type'
}

/** Types of which null is a wrong value, where for text and numbers it is a missing one. */
const neverEmpty = new Set(['boolean', 'array', 'object'])

export const requiredMessage = (field: string): string => `The ${label(field)} field is required.`

/** The values that a field may have, where it names each: in an `enum`, or as a union of literals. */
export function choicesOf({ keyword, params, parentSchema }: ErrorObject): readonly unknown[] | undefined {
  if (keyword === 'enum') return params.allowedValues as unknown[]
  const union = keyword === 'anyOf' ? (parentSchema?.anyOf as { const?: unknown }[]) : []
  return union.length > 0 && union.every((one) => 'const' in one) ? union.map((one) => one.const) : undefined
}

/** What a failed keyword asks for: the end of a sentence about the field. */
function ruleOf(error: ErrorObject): string {
  const { keyword, params, parentSchema } = error
  const choices = choicesOf(error)
  if (choices !== undefined)
    return `must be one of ${[...new Set(choices.filter((allowed) => allowed !== null).map(String))].join(', ')}.`
  switch (keyword) {
    case 'type':
      return `must be ${typeName(params.type)}.`
    case 'minLength':
      return `must be at least ${params.limit} characters.`
    case 'maxLength':
      return `must not be greater than ${params.limit} characters.`
    case 'minimum':
      return `must be at least ${params.limit}.`
    case 'maximum':
      return `must not be greater than ${params.limit}.`
    case 'minItems':
      return `must have at least ${params.limit} item${params.limit === 1 ? '' : 's'}.`
    case 'maxItems':
      return `must not have more than ${params.limit} items.`
    case 'format':
      return formats[String(params.format)] ?? 'is not valid.'
    case 'pattern': {
      const description: string | undefined = parentSchema?.description
      return description === undefined ? 'is not valid.' : `is not valid: ${description}`
    }
    default:
      return 'is not valid.'
  }
}

/** Messages for failed validation keywords, in Laravel's wording. */
export function messageFor(field: string, error: ErrorObject, value: unknown, isRequired: boolean): string {
  const subject = `The ${label(field)} field`
  const { keyword, params } = error
  if (error.instancePath.split('/').length > 2) {
    const fault = keyword === 'type' ? `is not ${typeName(params.type)}.` : ruleOf(error)
    return `${subject} holds an element that ${fault}`
  }
  const isEmpty = keyword === 'type' && value === null
  if (keyword === 'required' || (isEmpty && (isRequired || !neverEmpty.has(String(params.type)))))
    return requiredMessage(field)
  return `${subject} ${ruleOf(error)}`
}
