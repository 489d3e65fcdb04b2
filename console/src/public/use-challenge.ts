import { useState } from 'react'

const key = 'gatehouse.challenge'

/** As long as the challenge is good for. */
const lifeMs = 5 * 60_000

/** The second step of a sign-in: what it answers to, and by which methods, the preferred first. */
export interface Challenge {
  readonly challenge: string
  readonly methods: readonly string[]
  /** For a passkey. */
  readonly options?: Record<string, unknown> | undefined
}

interface Kept extends Challenge {
  readonly until: number
}

/** A challenge is no credential: without the second factor it opens nothing. It leaves with the tab. */
function read(): Challenge | undefined {
  try {
    const { until, methods, ...kept } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Kept>
    if (until === undefined || until <= Date.now() || kept.challenge === undefined) return undefined
    return { challenge: kept.challenge, methods: methods ?? [], options: kept.options }
  } catch {
    return undefined // the browser lets no page keep anything
  }
}

function write(challenge: Challenge | undefined): void {
  try {
    if (challenge === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify({ ...challenge, until: Date.now() + lifeMs }))
  } catch {
    // Then a reload starts over.
  }
}

export const forgetChallenge = (): void => write(undefined)

/** The challenge that waits for its answer; a reload keeps it. */
export function useChallenge(): [Challenge | undefined, (challenge: Challenge | undefined) => void] {
  const [challenge, setChallenge] = useState(read)
  return [
    challenge,
    (next) => {
      write(next)
      setChallenge(next)
    },
  ]
}
