import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { nullable } from '../../http/schemas.ts'

const properties = {
  'registration.enabled': Type.Boolean({
    title: 'Open registration',
    description: 'Whether people can register themselves. If not, registration answers 404.',
    examples: [true],
  }),
  'registration.email_confirmation': Type.Boolean({
    title: 'Confirm email addresses',
    description: 'Whether a new account must confirm its email address before sign-in.',
    examples: [true],
  }),
  'registration.captcha': Type.Boolean({
    title: 'Ask for a captcha',
    description: 'Whether registration requires a captcha. Needs GATEHOUSE_CAPTCHA_URL.',
    examples: [false],
  }),
  'registration.terms': Type.Boolean({
    title: 'Terms must be accepted',
    description: 'Whether the terms of service must be accepted.',
    examples: [false],
  }),
  'registration.terms_version': nullable(
    Type.String({
      title: 'Version of the terms',
      maxLength: 100,
      description: 'Stored with each acceptance.',
      examples: ['2026-11'],
    }),
  ),
  'registration.terms_url': nullable(
    Type.String({
      title: 'Address of the terms',
      maxLength: 2000,
      format: 'http-url',
      examples: ['https://example.com/terms'],
    }),
  ),
  'registration.default_role_id': Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    title: 'Role of new accounts',
    description: 'The role of self-registered accounts.',
    examples: [2],
  }),
  'registration.unconfirmed_days': Type.Integer({
    minimum: 0,
    maximum: 3_650,
    title: 'Days to confirm an account',
    description:
      'An account that is not confirmed within this time is deleted, unless an administrator invited its owner. 0: never.',
    examples: [30],
  }),
  'password_reset.enabled': Type.Boolean({
    title: 'Reset by email',
    description: 'Whether people can reset their password by email.',
    examples: [true],
  }),
  'password.min_length': Type.Integer({
    minimum: 8,
    maximum: 64,
    title: 'Minimum length',
    description: 'Characters (code points).',
    examples: [8],
  }),
  'password.required': Type.Boolean({
    title: 'Every account has a password',
    description:
      'If not, administrators can create users without one, and people can sign up with a passkey once their address is confirmed.',
    examples: [true],
  }),
  'two_factor.enabled': Type.Boolean({
    title: 'Two-factor authentication',
    description: 'Whether second factors can be added. Roles that require one can always be served.',
    examples: [true],
  }),
  'session.idle_minutes': Type.Integer({
    minimum: 1,
    maximum: 525_600,
    title: 'Minutes until an unused session ends',
    description: 'A session ends after this many minutes without use.',
    examples: [120],
  }),
  'session.absolute_hours': Type.Integer({
    minimum: 1,
    maximum: 87_600,
    title: 'Hours until any session ends',
    description: 'A session ends this many hours after sign-in.',
    examples: [720],
  }),
  'session.max_per_user': Type.Integer({
    minimum: 1,
    maximum: 1_000,
    title: 'Sessions of one user',
    description: 'A sign-in beyond this number ends the session that was used longest ago.',
    examples: [50],
  }),
  'activity.retention_days': Type.Integer({
    minimum: 31,
    maximum: 3_650,
    title: 'Days that the activity is kept',
    description: 'Older entries are deleted. After 30 days, IP addresses are truncated to their network (/24 or /48).',
    examples: [365],
  }),
  'sign_ins.retention_days': Type.Integer({
    minimum: 1,
    maximum: 3_650,
    title: 'Days that sign-ins are kept',
    description: 'Older sign-ins, successful and failed, are deleted from the activity.',
    examples: [90],
  }),
}

/** The settings that administrators can change while the service runs. */
const Settings = Type.Object(properties)
export type Settings = Static<typeof Settings>

const force = Type.Boolean({
  description: 'Required to choose a role with administrator permissions for self-registered accounts.',
  examples: [false],
})

const UpdateSettings = Type.Partial(Type.Object({ ...properties, force }))
export type UpdateSettings = Static<typeof UpdateSettings>

/**
 * Without defaults: generated clients make a property with a default required. A text that is empty by default can be emptied
 * again.
 */
const asChanges = (properties: TProperties): TProperties =>
  Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const { default: usual, ...others } = schema as TSchema & { default?: unknown }
      return [name, usual === '' ? { ...others, 'x-may-be-empty': true } : others]
    }),
  )

/** The schemas of this installation: plugins add settings. */
export const settingsSchemas = (ofPlugins: TProperties) => ({
  Settings: { ...Type.Object({ ...properties, ...ofPlugins }), $id: 'Settings' } as unknown as typeof Settings,
  UpdateSettings: {
    ...Type.Partial(Type.Object({ ...properties, force, ...asChanges(ofPlugins) })),
    $id: 'UpdateSettings',
  } as unknown as typeof UpdateSettings,
})
