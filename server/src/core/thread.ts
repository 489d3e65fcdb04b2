import { Worker } from 'node:worker_threads'
import { createSlots } from './slots.ts'

/** The thread ends after this idle time, to free its memory. */
const idleMs = 30_000
/** Includes loading, on a busy machine. */
const patienceMs = 20_000
const maxWaiting = 128
/** Without a limit, V8 keeps up to 20 MB of garbage from what a thread loads. */
const maxOldGenerationSizeMb = 64

interface Asked<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * The function that `module` exports by this name, called in a thread of its own, one call at a time: for what would keep the
 * event loop, and so everybody else, waiting. Question and answer are copied (structured clone). The thread starts with the
 * first call. If more than `maxWaiting` calls wait, or the thread fails, `refuse` answers.
 */
export function createThread<Work extends (question: never) => unknown>(
  module: URL,
  name: string,
  refuse: () => Error,
): (question: Parameters<Work>[0]) => Promise<Awaited<ReturnType<Work>>> {
  type Answer = Awaited<ReturnType<Work>>
  let thread: Worker | undefined
  let asked: Asked<Answer> | undefined
  let idle: NodeJS.Timeout | undefined

  /** Ends the thread and rejects the open call. */
  function endThread(why: string): void {
    const ended = thread
    thread = undefined
    asked?.reject(new Error(`The thread of ${name} ${why}.`))
    void ended?.terminate()
  }

  function startThread(): Worker {
    const started = new Worker(new URL('./thread-entry.ts', import.meta.url), {
      workerData: { module: module.href, name },
      resourceLimits: { maxOldGenerationSizeMb },
    })
    const gone = (why: string) => {
      if (thread === started) endThread(why)
    }
    started.on('message', (answer: Answer) => asked?.resolve(answer))
    started.on('error', (error) => gone(`failed: ${error}`))
    started.on('exit', () => gone('ended'))
    return started
  }

  async function ask(question: Parameters<Work>[0]): Promise<Answer> {
    clearTimeout(idle)
    thread ??= startThread()
    const late = setTimeout(() => endThread('did not answer in time'), patienceMs)
    try {
      thread.ref()
      thread.postMessage(question)
      return await new Promise<Answer>((resolve, reject) => {
        asked = { resolve, reject }
      })
    } finally {
      asked = undefined
      clearTimeout(late)
      thread?.unref()
      idle = setTimeout(() => endThread('was idle'), idleMs).unref()
    }
  }

  const inTurn = createSlots(1, maxWaiting, refuse)
  const fail = (cause: unknown): never => {
    throw Object.assign(refuse(), { cause })
  }
  return (question) => inTurn(() => ask(question).catch(fail))
}
