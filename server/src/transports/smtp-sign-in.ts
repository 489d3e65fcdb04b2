import type { SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection'

/**
 * Signs in with PLAIN, which nodemailer also takes where the server offers nothing that it knows: then mail would go out without
 * signing in, or the password to a server that asked for none.
 */
export async function signInPlain({ auth, authMethods, sendCommand }: SMTPConnectionCustomAuthContext): Promise<void> {
  if (!authMethods.includes('PLAIN'))
    throw new Error(
      'The server offers no sign-in (AUTH) with a password. Remove user and password from GATEHOUSE_MAIL_URL, or name the port that offers it, usually 587 or 465.',
    )
  const { user, pass } = auth.credentials
  const { status } = await sendCommand(`AUTH PLAIN ${Buffer.from(`\0${user}\0${pass}`).toString('base64')}`)
  if (status !== 235) throw new Error('Invalid login')
}
