import { once } from 'node:events'
import { connect } from 'node:net'
import type { Config } from '../../config.ts'
import { hostOf } from '../../core/addresses.ts'
import { causesOf } from '../../core/causes.ts'
import { reasonOf } from '../../db/failures.ts'
import { openStorage } from '../../features/avatar-files/storage.ts'
import { verifySmtp } from '../../transports/smtp.ts'
import { broken, type Finding, ok, warning } from './check.ts'
import { checkFolder } from './machine.ts'

const connectTimeoutMs = 5_000

/** Signs in at the mail server; sends nothing. */
export async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail === null) return warning('mail', 'is kept in the outbox (capture:)', 'Set GATEHOUSE_MAIL_URL to send it.')
  const { host } = new URL(mail.url)
  try {
    await verifySmtp(mail.url)
    return ok('mail', `${host} takes mail`)
  } catch (error) {
    return broken('mail', `${host}: ${(error as Error).message}`, 'Correct GATEHOUSE_MAIL_URL, or see to the server.')
  }
}

async function reach(url: string): Promise<void> {
  const address = new URL(url)
  const socket = connect(Number(address.port) || (address.protocol === 'https:' ? 443 : 80), hostOf(address))
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('timed out')))
  await once(socket, 'connect').finally(() => socket.destroy())
}

/** Connects to the provider; sends nothing. */
export async function checkSms({ sms }: Config): Promise<Finding> {
  if (sms === null) return ok('SMS', 'are kept in the outbox (capture:)')
  const url = sms.kind === 'twilio' ? sms.api : sms.url
  const { host } = new URL(url)
  try {
    await reach(url)
    return ok('SMS', `${host} can be reached`)
  } catch (error) {
    const found = `${host} cannot be reached (${reasonOf(error)})`
    return broken('SMS', found, 'Correct GATEHOUSE_SMS_URL, or let this machine connect to it.')
  }
}

/** Asks for a picture that is not there. */
export async function checkStorage({ storage }: Config): Promise<Finding> {
  if ('dir' in storage) return checkFolder('storage', storage.dir, 'GATEHOUSE_STORAGE_URL')
  const { host } = new URL(storage.endpoint)
  try {
    await openStorage(storage).get(`${'0'.repeat(64)}.webp`)
    return ok('storage', `${host} answers`)
  } catch (error) {
    const reason = causesOf(error as Error) || reasonOf(error)
    return broken('storage', `${host} cannot be used (${reason})`, 'Correct GATEHOUSE_STORAGE_URL.')
  }
}
