import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'

export const ExternalAvatar = component(
  'ExternalAvatar',
  Type.Object({
    url: Type.String({
      format: 'http-url',
      maxLength: 2000,
      description:
        'An http or https address without credentials, on the public internet; stored as it is, never fetched.',
      examples: ['https://cdn.example.com/ada.png'],
    }),
  }),
)
export type ExternalAvatar = Static<typeof ExternalAvatar>
