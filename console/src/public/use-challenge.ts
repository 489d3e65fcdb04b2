import { useState } from 'react'

const key = 'gatehouse.challenge'

/** As long as the code in the SMS is good for. */
const lifeMs = 5 * 60_000

interface Kept {
  readonly challenge: string
  readonly until: number
}

/** A challenge is no credential: without the code from the phone it opens nothing. It leaves with the tab. */
function read(): string | undefined {
  try {
    const { challenge, until } = JSON.parse(sessionStorage.getItem(key) ?? '{}') as Partial<Kept>
    return until !== undefined && until > Date.now() ? challenge : undefined
  } catch {
    return undefined // the browser lets no page keep anything
  }
}

function write(challenge: string | undefined): void {
  try {
    if (challenge === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, JSON.stringify({ challenge, until: Date.now() + lifeMs }))
  } catch {
    // Then a reload starts over.
  }
}

export const forgetChallenge = (): void => write(undefined)

/** The challenge that waits for its code; a reload keeps it. */
export function useChallenge(): [string | undefined, (challenge: string | undefined) => void] {
  const [challenge, setChallenge] = useState(read)
  return [
    challenge,
    (next) => {
      write(next)
      setChallenge(next)
    },
  ]
}
