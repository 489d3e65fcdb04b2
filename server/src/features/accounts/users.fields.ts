import { Type } from 'typebox'
import { nullable } from '../../http/schemas.ts'

const text = (maxLength: number, example: string, more: object = {}) =>
  nullable(Type.String({ maxLength, examples: [example], ...more }))

/**
 * The profile fields of a user. Columns, requests, answers, imports and the OpenAPI example are derived from this list. A
 * new field needs an entry here, an entry in the console's table of fields, and a migration. Every field is nullable.
 */
export const profileFields = {
  first_name: text(255, 'Ada'),
  last_name: text(255, 'Lovelace'),
  username: text(255, 'ada'),
  phone: text(64, '+44 20 7946 0958', { 'x-digits': 'any' }),
  address: text(1000, "12 St James's Square, London"),
  country_id: nullable(Type.Integer({ description: 'ISO 3166-1 numeric code; see GET /countries.', examples: [826] })),
  birthday: nullable(
    Type.String({ format: 'date', description: 'YYYY-MM-DD, not in the future.', examples: ['1990-12-10'] }),
  ),
}

export type ProfileField = keyof typeof profileFields
export const profileFieldNames = Object.keys(profileFields) as ProfileField[]
