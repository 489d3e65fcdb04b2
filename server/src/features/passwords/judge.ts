import { Worker } from 'node:worker_threads'
import { createSlots } from '../../core/slots.ts'
import type { Estimate } from './guesses.ts'

/** Requests to and replies from the thread that judges passwords. */
export interface Question {
  readonly password: string
  /** Names of the person and the service, as words. */
  readonly names: readonly string[]
  /** The number of guesses from which the exact number no longer matters. */
  readonly enough: number
}
export interface Verdict extends Estimate {
  readonly isCommon: boolean
}

/** The thread ends after this idle time, to free its word lists. Loading them again takes half a second. */
const idleMs = 30_000
/** Includes loading, on a busy machine. */
const patienceMs = 20_000
const maxWaiting = 128
/** The word lists take 36 MB. Without a limit, V8 keeps up to 20 MB of garbage from loading them. */
const maxOldGenerationSizeMb = 64

interface Asked {
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: Error) => void
}

let thread: Worker | undefined
let asked: Asked | undefined
let idle: NodeJS.Timeout | undefined

/** Ends the thread and rejects the open request. */
function endThread(why: string): void {
  const ended = thread
  thread = undefined
  asked?.reject(new Error(`The thread that judges passwords ${why}.`))
  void ended?.terminate()
}

function startThread(): Worker {
  const started = new Worker(new URL('./judge-thread.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb },
  })
  const gone = (why: string) => {
    if (thread === started) endThread(why)
  }
  started.on('message', (verdict: Verdict) => asked?.resolve(verdict))
  started.on('error', (error) => gone(`failed: ${error}`))
  started.on('exit', () => gone('ended'))
  return started
}

async function ask(question: Question): Promise<Verdict> {
  clearTimeout(idle)
  thread ??= startThread()
  const late = setTimeout(() => endThread('did not answer in time'), patienceMs)
  try {
    thread.ref()
    thread.postMessage(question)
    return await new Promise<Verdict>((resolve, reject) => {
      asked = { resolve, reject }
    })
  } finally {
    asked = undefined
    clearTimeout(late)
    thread?.unref()
    idle = setTimeout(() => endThread('was idle'), idleMs).unref()
  }
}

/**
 * Returns a function that judges passwords, one at a time, in a thread that all apps of the process share. This keeps the
 * word lists and the work off the event loop. If more than `maxWaiting` requests wait, or the thread fails, `refuse`
 * answers.
 */
export function createJudge(refuse: () => Error): (question: Question) => Promise<Verdict> {
  const inTurn = createSlots(1, maxWaiting, refuse)
  const fail = (cause: unknown): never => {
    throw Object.assign(refuse(), { cause })
  }
  return (question) => inTurn(() => ask(question).catch(fail))
}
