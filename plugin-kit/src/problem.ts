import { useState } from 'react'
import { useNotify } from 'react-admin'
import { useIsHere } from './here.ts'

/** What went wrong, for an alert beside what was tried. To whoever is not here any more, a notification says it. */
export function useProblem(): [problem: string | undefined, setProblem: (problem: string | undefined) => void] {
  const [problem, setProblem] = useState<string>()
  const notify = useNotify()
  const isHere = useIsHere()
  const say = (text: string | undefined) => {
    if (text === undefined || isHere()) setProblem(text)
    else notify(text, { type: 'error' })
  }
  return [problem, say]
}
