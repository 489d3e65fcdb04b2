import type { Config } from '../config.ts'
import type { Log } from '../core/context.ts'
import type { DeliveryKind } from '../outbox/deliveries.table.ts'
import type { Transport } from '../outbox/message.ts'
import { captureTransport } from './capture.ts'
import { gatewayTransport } from './gateway.ts'
import { smtpTransport } from './smtp.ts'
import { twilioTransport } from './twilio.ts'

function smsTransport(config: Config, log: Log): Transport {
  const { sms, dataDir } = config
  if (sms === null) return captureTransport(config, log)
  return sms.kind === 'twilio' ? twilioTransport(sms) : gatewayTransport({ ...sms, dataDir })
}

/** The configured transports for mail and SMS. None connects before there is a message. */
export function createTransports(config: Config, log: Log): Record<DeliveryKind, Transport> {
  const { mail, mailFrom: from } = config
  return {
    mail: mail === null ? captureTransport(config, log) : smtpTransport({ url: mail.url, from }),
    sms: smsTransport(config, log),
  }
}
