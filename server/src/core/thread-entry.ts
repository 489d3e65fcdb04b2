import { parentPort, workerData } from 'node:worker_threads'

const { module, name } = workerData as { module: string; name: string }
const { [name]: work } = (await import(module)) as Record<string, (question: unknown) => unknown>
if (work === undefined) throw new Error(`${module} exports no "${name}"`)

// What it throws ends the thread, and the call.
parentPort?.on('message', async (question) => parentPort?.postMessage(await work(question)))
