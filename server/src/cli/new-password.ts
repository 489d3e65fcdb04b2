import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { validationFailed } from '../core/errors.ts'

/** A password from standard input, if requested; else a generated one, which `shown` reveals once. Throws `validation_failed` for an empty one. */
export async function readPassword(options: { passwordStdin?: true }): Promise<{ password: string; shown: string }> {
  if (options.passwordStdin) {
    const given = (await text(process.stdin)).replace(/\r?\n$/, '')
    // A change of a user would take it for no change of the password.
    if (given === '') throw validationFailed({ password: ['The password field is required.'] })
    return { password: given, shown: '' }
  }
  const password = randomBytes(15).toString('base64url')
  return { password, shown: ` Password, shown once: ${password}` }
}
