import { Type } from 'typebox'
import { nullable } from '../../http/schemas.ts'

const text = (maxLength: number, example: string, more: object = {}) =>
  nullable(Type.String({ maxLength, examples: [example], ...more }))

/**
 * What a person says of themselves. Columns, requests, answers, imports and the OpenAPI example come from this list: a new
 * field is an entry here, one in the console's table of fields, and a migration. Each may be null.
 */
export const profileFields = {
  first_name: text(255, 'Ada'),
  last_name: text(255, 'Lovelace'),
  username: text(255, 'ada'),
  phone: text(64, '+44 20 7946 0958', { 'x-digits': 'phone' }),
  address: text(1000, "12 St James's Square, London"),
  country_id: nullable(Type.Integer({ description: 'ISO 3166-1 numeric code; see GET /countries.', examples: [826] })),
  birthday: nullable(
    Type.String({ format: 'date', description: 'YYYY-MM-DD, not in the future.', examples: ['1990-12-10'] }),
  ),
}

export type ProfileField = keyof typeof profileFields
export const profileFieldNames = Object.keys(profileFields) as ProfileField[]
