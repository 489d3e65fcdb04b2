import { type Static, type TSchema, Type } from 'typebox'

/** Every schema that has a name in the OpenAPI document. */
export const components = new Map<string, TSchema>()

/** Gives a schema a name in the OpenAPI document and in the generated client. */
export function component<S extends TSchema>(name: string, schema: S): S & { $id: string } {
  const named = { ...schema, $id: name }
  components.set(name, named)
  return named
}

/** Refers to a named schema; a schema without a name is used inline. */
export function ref<S extends TSchema>(schema: S) {
  const { $id } = schema as { $id?: string }
  return $id === undefined ? schema : Type.Unsafe<Static<S>>({ $ref: `${$id}#` })
}

/** The same, or null. */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: choices, ...rest } = schema as { type?: string; enum?: unknown[] }
  const values = choices === undefined ? {} : { enum: [...choices, null] }
  return Type.Unsafe<Static<S> | null>({ ...rest, ...values, type: [type, 'null'] })
}

/** One of these strings. */
export const choice = <T extends string>(values: readonly T[], options: object = {}) =>
  Type.Unsafe<T>({ type: 'string', enum: [...values], ...options })

/** `{"data": …}`, the frame of every answer with one object. */
export const dataOf = <S extends TSchema>(schema: S) => Type.Object({ data: ref(schema) })

/** `{"data": […]}`, the frame of a list that is never paginated. */
export const allOf = <S extends TSchema>(schema: S) => Type.Object({ data: Type.Array(ref(schema)) })

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [2] })
export const Timestamp = Type.String({
  pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`,
  description: 'YYYY-MM-DD HH:MM:SS, UTC',
  examples: ['2026-11-20 10:49:27'],
})

/** Not declared as a constant: code generators turn a constant into a type of its own, which some cannot compile. */
export const alwaysTrue = Type.Boolean({ description: 'Always true.', examples: [true] })
export const Success = component('Success', Type.Object({ success: alwaysTrue }))
export const succeeded = { success: true } as const

/** An HTML page instead of JSON. */
export const HtmlPage = Type.String({ contentMediaType: 'text/html' })

export const ErrorAnswer = component(
  'ApiError',
  Type.Object({
    message: Type.String({ examples: ['Resource not found.'] }),
    code: Type.String({
      description: 'Stable and machine-readable; listed in docs/errors.md.',
      examples: ['not_found'],
    }),
    count: Type.Optional(
      Type.Integer({ description: 'With bulk_count_changed: how many match now.', examples: [45_209] }),
    ),
  }),
)

export const ValidationErrorAnswer = component(
  'ValidationError',
  Type.Object({
    message: Type.String({ examples: ['The given data was invalid.'] }),
    code: Type.String({ examples: ['validation_failed'] }),
    errors: Type.Record(Type.String(), Type.Array(Type.String()), {
      description: 'Every failing field with its error messages.',
      examples: [{ email: ['The email field is required.'] }],
    }),
  }),
)
