import { type Static, Type } from 'typebox'
import { component, Timestamp } from '../../http/schemas.ts'

export const Session = component(
  'Session',
  Type.Object({
    id: Type.String({ description: 'An id; not the credential.', examples: ['sX0c1vV3b0m9b1hQJ2mA4g'] }),
    user_id: Type.Integer({ examples: [2] }),
    ip_address: Type.String({ examples: ['203.0.113.7'] }),
    user_agent: Type.String({ examples: ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'] }),
    browser: Type.String({ examples: ['Firefox'] }),
    platform: Type.String({ examples: ['Linux'] }),
    device: Type.String({ examples: ['Desktop'] }),
    last_activity: Timestamp,
    current: Type.Optional(
      Type.Boolean({ description: 'True on the session of this request; absent on all others.', examples: [true] }),
    ),
  }),
)
export type Session = Static<typeof Session>
