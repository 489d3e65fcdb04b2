import { type Static, Type } from 'typebox'
import { component } from '../../http/schemas.ts'

export const maxPreferencesBytes = 16 * 1024

export const Preferences = component(
  'Preferences',
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Any JSON object; Gatehouse only keeps it.',
    examples: [{ theme: 'dark', views: [{ name: 'Banned', query: 'filter[status]=Banned' }] }],
  }),
)
export type Preferences = Static<typeof Preferences>
