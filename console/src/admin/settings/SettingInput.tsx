import { useMay } from '@gatehouse/plugin-kit/console'
import { BooleanInput, NumberInput, required, SelectInput, TextInput } from 'react-admin'
import { RoleInput } from '../users/inputs.tsx'
import type { SettingSchema } from './settings.ts'

interface Props {
  readonly name: string
  readonly label: string
  readonly schema: SettingSchema
  readonly isReadOnly: boolean
}

const typesOf = ({ type }: SettingSchema): readonly string[] => [type].flat()

/** The field for one setting, chosen by its schema. */
export function SettingInput({ name, label, schema, isReadOnly }: Props) {
  const maySeeRoles = useMay(['roles.manage', 'users.manage']) // else a role is shown by its number
  const isRequired = !typesOf(schema).includes('null') && schema.default !== ''
  const common = {
    source: name,
    label,
    helperText: schema.description ?? (false as const),
    disabled: isReadOnly,
    ...(isRequired ? { validate: required() } : {}),
  }
  if (name.endsWith('_role_id') && maySeeRoles) {
    return <RoleInput {...common} isAnyAllowed isRequired={isRequired} fullWidth />
  }
  if (schema.enum !== undefined) {
    const choices = schema.enum.map((value) => ({ id: value, name: String(value) }))
    return <SelectInput {...common} choices={choices} fullWidth />
  }
  if (typesOf(schema).includes('boolean')) return <BooleanInput {...common} validate={[]} />
  if (typesOf(schema).some((type) => type === 'integer' || type === 'number')) {
    return <NumberInput {...common} {...bounds(schema)} fullWidth />
  }
  return <TextInput {...common} fullWidth />
}

const bounds = ({ minimum, maximum }: SettingSchema) => ({
  ...(minimum === undefined ? {} : { min: minimum }),
  ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { max: maximum }),
})
