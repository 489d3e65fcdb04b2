import { Worker } from 'node:worker_threads'
import { createSlots } from '../../core/slots.ts'
import type { Estimate } from './guesses.ts'

/** What the thread that judges passwords is asked, and what it answers. */
export interface Question {
  readonly password: string
  /** Of the person and the service, as words. */
  readonly names: readonly string[]
  /** From how many guesses on it does not matter how many there are. */
  readonly enough: number
}
export interface Verdict extends Estimate {
  readonly isCommon: boolean
}

/** The thread ends when it has been idle so long: it holds its word lists, and loading them again takes half a second. */
const idleMs = 30_000
/** Loading included, on a busy machine. */
const patienceMs = 20_000
const maxWaiting = 128

interface Asked {
  readonly resolve: (verdict: Verdict) => void
  readonly reject: (error: Error) => void
}

let thread: Worker | undefined
let asked: Asked | undefined
let idle: NodeJS.Timeout | undefined

/** Ends the thread, and with it the question that it has not answered. */
function endThread(why: string): void {
  const ended = thread
  thread = undefined
  asked?.reject(new Error(`The thread that judges passwords ${why}.`))
  void ended?.terminate()
}

function startThread(): Worker {
  const started = new Worker(new URL('./judge-thread.ts', import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: 8 },
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
 * Makes what judges passwords: one at a time, on a thread of its own that all apps of the process share, so that neither
 * the word lists nor the work are a burden of the event loop. Beyond `maxWaiting` in line `refuse` answers, and where the thread fails.
 */
export function createJudge(refuse: () => Error): (question: Question) => Promise<Verdict> {
  const inTurn = createSlots(1, maxWaiting, refuse)
  const fail = (cause: unknown): never => {
    throw Object.assign(refuse(), { cause })
  }
  return (question) => inTurn(() => ask(question).catch(fail))
}
