import { OneTimeSecret } from '../components/OneTimeSecret.tsx'

/** The key itself, the one time that it is shown. */
export const Secret = ({ value }: { value: string }) => (
  <OneTimeSecret
    value={value}
    label="API key"
    warning="Copy the key now: it is shown this once and cannot be brought back. Whoever has it acts as you, so keep it out of mails, chats and source code."
  >
    A program sends it with every request as <code>Authorization: Bearer</code> and the key.
  </OneTimeSecret>
)
