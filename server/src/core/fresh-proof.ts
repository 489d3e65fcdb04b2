import type { Actor } from './context.ts'
import { defineErrors } from './errors.ts'
import { type Clock, clockToleranceMs } from './time.ts'

/** How long a proof of identity is fresh: a sign-in, or `POST /me/reauthenticate`. */
const freshForMs = 15 * 60_000

const proofErrors = defineErrors({
  reauthentication_required: [403, 'Confirm first that it is you: POST /me/reauthenticate.'],
})

/**
 * Throws `reauthentication_required` unless the session proved its user's identity within the last 15 minutes: an unattended
 * browser must not be enough for what gives power to others or takes protection away. API keys are exempt, because their scope
 * is their limit, and so are the command line and the system. A proof of later than now was given before the clock was set back.
 */
export function assertFreshProof(clock: Clock, { credential }: Actor): void {
  if (credential === null || credential.provedMs === null) return
  const ageMs = clock().getTime() - credential.provedMs
  if (ageMs > freshForMs || ageMs < -clockToleranceMs) throw proofErrors.reauthentication_required()
}
