import { type Static, type TProperties, Type } from 'typebox'
import { nullable } from '../../http/schemas.ts'

const properties = {
  'registration.enabled': Type.Boolean({
    title: 'Open registration',
    description: 'Whether people may register; closed registration answers 404.',
    examples: [true],
  }),
  'registration.email_confirmation': Type.Boolean({
    title: 'Confirm e-mail addresses',
    description: 'Whether an account waits for its e-mail address to be confirmed.',
    examples: [true],
  }),
  'registration.captcha': Type.Boolean({
    title: 'Ask for a captcha',
    description: 'Whether registration asks for a captcha; needs GATEHOUSE_CAPTCHA_URL.',
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
      description: 'Kept with each acceptance.',
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
    description: 'The role of who registers.',
    examples: [2],
  }),
  'password_reset.enabled': Type.Boolean({
    title: 'Reset by e-mail',
    description: 'Whether people may reset their password by e-mail.',
    examples: [true],
  }),
  'password.min_length': Type.Integer({
    minimum: 8,
    maximum: 64,
    title: 'Minimum length',
    description: 'Characters (code points).',
    examples: [8],
  }),
  'two_factor.enabled': Type.Boolean({
    title: 'Two-factor sign-in by SMS',
    description: 'Whether two-factor authentication by SMS can be turned on.',
    examples: [true],
  }),
  'session.idle_minutes': Type.Integer({
    minimum: 1,
    maximum: 525_600,
    title: 'Minutes until an unused session ends',
    description: 'A session ends after so many minutes unused.',
    examples: [120],
  }),
  'session.absolute_hours': Type.Integer({
    minimum: 1,
    maximum: 87_600,
    title: 'Hours until any session ends',
    description: 'A session ends so many hours after sign-in.',
    examples: [720],
  }),
  'session.max_per_user': Type.Integer({
    minimum: 1,
    maximum: 1_000,
    title: 'Sessions of one user',
    description: 'At the next sign-in beyond this number, the session that was used longest ago ends.',
    examples: [50],
  }),
  'activity.retention_days': Type.Integer({
    minimum: 31,
    maximum: 3_650,
    title: 'Days that the activity is kept',
    description: 'Older entries are deleted. After 30 days addresses are cut to their network (/24 or /48).',
    examples: [365],
  }),
  'sign_ins.retention_days': Type.Integer({
    minimum: 1,
    maximum: 3_650,
    title: 'Days that sign-ins are kept',
    description: 'Good and failed sign-ins older than this are deleted from the activity.',
    examples: [90],
  }),
}

/** Every setting that administrators change while the service runs. */
const Settings = Type.Object(properties)
export type Settings = Static<typeof Settings>
export type SettingName = keyof Settings

const force = Type.Boolean({
  description: 'Needed to give people who register themselves a role with permissions of administrators.',
  examples: [false],
})

const UpdateSettings = Type.Partial(Type.Object({ ...properties, force }))
export type UpdateSettings = Static<typeof UpdateSettings>

/** The schemas of this installation: plugins bring settings of their own. */
export const settingsSchemas = (ofPlugins: TProperties) => ({
  Settings: { ...Type.Object({ ...properties, ...ofPlugins }), $id: 'Settings' } as unknown as typeof Settings,
  UpdateSettings: {
    ...Type.Partial(Type.Object({ ...properties, force, ...ofPlugins })),
    $id: 'UpdateSettings',
  } as unknown as typeof UpdateSettings,
})
