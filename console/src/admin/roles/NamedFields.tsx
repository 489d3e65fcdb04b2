import { maxLength, regex, required, SelectInput, TextInput } from 'react-admin'

interface Props {
  readonly nameHelp: string
  /** Why the name cannot be changed. */
  readonly fixedName?: string | undefined
  readonly disabled?: boolean
  readonly isPermission?: boolean
}

const permissionName = regex(
  /^[A-Za-z0-9][A-Za-z0-9._:-]*$/,
  'Letters, digits, dot, colon, hyphen and underscore only; a letter or digit first.',
)

/** What roles and permissions have in common. */
export const NamedFields = ({ nameHelp, fixedName, disabled = false, isPermission = false }: Props) => (
  <>
    <TextInput
      source="name"
      label="Name"
      fullWidth
      disabled={disabled || fixedName !== undefined}
      helperText={fixedName ?? nameHelp}
      validate={isPermission ? [required(), maxLength(100), permissionName] : [required(), maxLength(100)]}
      slotProps={{ htmlInput: { spellCheck: false, autoComplete: 'off' } }}
    />
    <TextInput
      source="display_name"
      label="Title"
      fullWidth
      disabled={disabled}
      helperText="Shown to people instead of the name. Optional."
      validate={maxLength(255)}
    />
    <TextInput
      source="description"
      label="Description"
      fullWidth
      multiline
      minRows={2}
      disabled={disabled}
      helperText={false}
      validate={maxLength(1000)}
    />
  </>
)

/** Whether the users of a role must have a second factor. */
export const TwoFactorRule = ({ disabled = false }: { disabled?: boolean }) => (
  <SelectInput
    source="two_factor"
    label="Second factor"
    choices={[
      { id: 'optional', name: 'Optional' },
      { id: 'required', name: 'Required' },
    ]}
    defaultValue="optional"
    validate={required()}
    disabled={disabled}
    fullWidth
    helperText="Required: whoever has none can only add one, from the next request on. API keys are refused until then."
  />
)

/** An emptied text field is null. */
export const emptyToNull = ({ name, display_name, description, two_factor }: Record<string, unknown>) => ({
  ...(two_factor === undefined ? {} : { two_factor }),
  name: name ?? '',
  display_name: display_name === '' ? null : (display_name ?? null),
  description: description === '' ? null : (description ?? null),
})
