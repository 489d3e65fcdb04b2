import { threadId } from 'node:worker_threads'

export const tell = (text: string) => ({ text, threadId })

export async function failWith(message: string): Promise<never> {
  throw new Error(message)
}

export function end(code: number): never {
  process.exit(code)
}
