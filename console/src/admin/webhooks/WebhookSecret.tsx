import { OneTimeSecret } from '../components/OneTimeSecret.tsx'

/** The secret that verifies the signatures, the one time that it is shown. */
export const WebhookSecret = ({ value }: { value: string }) => (
  <OneTimeSecret
    value={value}
    label="Signing secret"
    warning="Copy the secret now: it is shown this once and cannot be brought back. Whoever has it can make messages that look like ours."
  >
    The receiver verifies the signature of each message with it, as Standard Webhooks describes.
  </OneTimeSecret>
)
