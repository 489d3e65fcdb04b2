import { api, unwrap } from '../api/client.ts'
import { knownName, rememberName } from './arrive.ts'
import { looksLikeEmail } from './email.tsx'
import { LinkByMail } from './LinkByMail.tsx'
import type { Meta } from './meta.ts'
import { Frame, PageLink } from './parts.tsx'

export const resetIsOff = (
  <Frame
    title="Password reset is switched off"
    lead={<p>An administrator can give you a new password. Ask them for it.</p>}
  >
    <PageLink to="login" className="primary">
      Sign in
    </PageLink>
  </Frame>
)

/** Asks for a reset link. The answer is the same whether or not there is such an account. */
export function ForgotPassword({ meta }: { meta: Meta }) {
  const typed = looksLikeEmail(knownName()) ? knownName() : undefined
  if (!meta.features.password_reset) return resetIsOff
  return (
    <LinkByMail
      title="Reset your password"
      lead="Enter your email address. We send you a link to choose a new password."
      known={typed}
      send={(to) => {
        rememberName(to)
        return unwrap(api.POST('/password/remind', { body: { email: to } }))
      }}
      said={(to) => (
        <>If there is an account for {to}, a link to reset its password is on its way. It works for one hour.</>
      )}
    />
  )
}
