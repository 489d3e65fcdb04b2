import { ConfigError, loadConfig } from '../config.ts'
import { silentLog } from '../core/context.ts'
import { isEmail } from '../core/formats.ts'
import { messageIdsOf, serviceNameOf } from '../core/sender.ts'
import { systemClock, toTimestamp } from '../core/time.ts'
import { renderMail } from '../mails/templates.ts'
import { createTransports } from '../transports/transports.ts'
import { printLine } from './output.ts'

/** Sends a test mail directly to the configured server, without the outbox, and prints the result. */
export async function testMail({ to }: { to: string }): Promise<void> {
  const config = loadConfig()
  if (!isEmail(to)) throw new ConfigError(`--to: "${to}" is not an email address.`)
  if (config.mail === null) {
    throw new ConfigError(
      'GATEHOUSE_MAIL_URL is capture:, so mail stays in the outbox and nothing was sent. Set it to smtp://user:password@host:587, for example.',
    )
  }
  const { host } = new URL(config.mail.url)
  const mail = await renderMail(serviceNameOf(config), 'test', { at: toTimestamp(systemClock()) })
  const { mail: transport } = createTransports(config, silentLog)
  try {
    await transport.send({
      kind: 'mail',
      template: 'test',
      userId: null,
      recipient: to,
      secret: false,
      ...mail,
      messageId: messageIdsOf(config)(),
    })
  } catch (error) {
    throw new ConfigError(`GATEHOUSE_MAIL_URL: ${host} refused the mail: ${(error as Error).message}`)
  } finally {
    await transport.close()
  }
  printLine(`${host} accepted the mail for ${to}, from ${config.mailFrom}.`)
}
