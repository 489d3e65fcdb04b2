import { parentPort } from 'node:worker_threads'
import { isCommonPassword } from './common-passwords.ts'
import { estimateGuesses } from './guesses.ts'
import type { Question, Verdict } from './judge.ts'

parentPort?.on('message', ({ password, names, enough }: Question) => {
  const verdict: Verdict = {
    isCommon: isCommonPassword(password),
    ...estimateGuesses(password, names, enough),
  }
  parentPort?.postMessage(verdict)
})
