/** Tells a password manager whose password the form asks for. */
export const WhosePassword = ({ name }: { name: string }) => (
  <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
)
