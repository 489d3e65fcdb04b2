import { authorisation } from './authorisation.ts'
import { enumeration } from './enumeration.ts'
import { guesses } from './guesses.ts'
import { headers } from './headers.ts'
import { kills } from './kills.ts'
import type { Measure } from './measure.ts'
import { powerCut } from './power-cut.ts'
import { races } from './races.ts'
import { revocation } from './revocation.ts'
import { secrets } from './secrets.ts'

/** In the order in which they are taken. */
export const measures: Readonly<Record<string, Measure>> = {
  authorisation,
  headers,
  secrets,
  guesses,
  races,
  kills,
  'power-cut': powerCut,
  revocation,
  enumeration,
}
