import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'

/** A password from standard input, if requested; else a generated one, which `shown` reveals once. */
export async function readPassword(options: { passwordStdin?: true }): Promise<{ password: string; shown: string }> {
  if (options.passwordStdin) return { password: (await text(process.stdin)).replace(/\r?\n$/, ''), shown: '' }
  const password = randomBytes(15).toString('base64url')
  return { password, shown: ` Password, shown once: ${password}` }
}
