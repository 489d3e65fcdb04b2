import { Type } from 'typebox'
import { component, nullable } from '../../http/schemas.ts'

export const Country = component(
  'Country',
  Type.Object({
    id: Type.Integer({ description: 'ISO 3166-1 numeric code.', examples: [250] }),
    name: Type.String({ examples: ['France'] }),
    full_name: Type.String({ examples: ['French Republic'] }),
    capital: nullable(Type.String({ examples: ['Paris'] })),
    citizenship: nullable(Type.String({ examples: ['French'] })),
    country_code: Type.Integer({ description: 'The numeric code, the same as id.', examples: [250] }),
    currency: nullable(Type.String({ examples: ['Euro'] })),
    currency_code: nullable(Type.String({ description: 'ISO 4217.', examples: ['EUR'] })),
    currency_sub_unit: nullable(
      Type.String({ description: 'Always null: no maintained data package names it.', examples: [null] }),
    ),
    currency_symbol: nullable(Type.String({ examples: ['€'] })),
    iso_3166_2: Type.String({ description: 'Two letters.', examples: ['FR'] }),
    iso_3166_3: Type.String({ description: 'Three letters.', examples: ['FRA'] }),
    region_code: nullable(Type.Integer({ description: 'UN M49.', examples: [150] })),
    sub_region_code: nullable(Type.Integer({ description: 'UN M49.', examples: [155] })),
    eea: Type.Boolean({ description: 'In the European Economic Area.', examples: [true] }),
    calling_code: nullable(Type.Integer({ examples: [33] })),
    flag: Type.String({
      description: 'The address of a picture (SVG) of the flag.',
      examples: ['https://users.example.com/flags/fr-7.5.0.svg'],
    }),
  }),
)
