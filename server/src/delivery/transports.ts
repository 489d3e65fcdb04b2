import type { Config } from '../config.ts'
import type { Log } from '../core/context.ts'
import { captureTransport } from './capture.ts'
import type { DeliveryKind } from './deliveries.table.ts'
import { gatewayTransport } from './gateway.ts'
import type { Transport } from './message.ts'
import { smtpTransport } from './smtp.ts'
import { twilioTransport } from './twilio.ts'

function smsTransport({ sms, dataDir }: Config, log: Log): Transport {
  if (sms === null) return captureTransport(log)
  return sms.kind === 'twilio' ? twilioTransport(sms) : gatewayTransport({ ...sms, dataDir })
}

/** The servers that mail and SMS go to, as the configuration names them. None is spoken to before there is a message. */
export function createTransports(config: Config, log: Log): Record<DeliveryKind, Transport> {
  const { mail, mailFrom: from } = config
  return {
    mail: mail === null ? captureTransport(log) : smtpTransport({ url: mail.url, from }),
    sms: smsTransport(config, log),
  }
}
