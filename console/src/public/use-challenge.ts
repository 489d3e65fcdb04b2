import { useState } from 'react'
import type { Challenge } from '../api/challenge.ts'

const key = 'gatehouse.challenge'

/** An older version of the page may have kept something else. */
function isChallenge(kept: unknown): kept is Challenge {
  const { challenge, methods, until } = (kept ?? {}) as Partial<Challenge>
  return typeof challenge === 'string' && Array.isArray(methods) && typeof until === 'number'
}

/** A challenge is no credential: without the second factor it opens nothing. It leaves with the tab. */
function read(): Challenge | undefined {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return isChallenge(kept) && kept.until > Date.now() ? kept : undefined
  } catch {
    return undefined // it cannot be read, or the browser lets no page keep anything
  }
}

function write(challenge: Challenge | undefined): void {
  try {
    if (challenge === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify(challenge))
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
