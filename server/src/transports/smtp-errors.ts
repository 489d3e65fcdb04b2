/** An error of nodemailer: `originalCode` is that of Node, `reason` says more of TLS. */
export type SmtpError = Error & {
  code?: string
  originalCode?: string
  command?: string
  responseCode?: number
  /** What the server answered. */
  response?: string
  reason?: string
}

export const isAboutRecipient = ({ command, responseCode }: SmtpError): boolean =>
  command === 'RCPT TO' && responseCode !== undefined

/**
 * True where the server says that there is no such address (RFC 3463: 5.1.1 to 5.1.3, 5.1.6, 5.2.1; RFC 7505: 5.1.10). A refusal without
 * such a code may be about the sender, or this client.
 */
export const isAboutUnknownRecipient = (error: SmtpError): boolean =>
  isAboutRecipient(error) && /^5\d\d[ -]5\.(1\.([1236]|10)|2\.1)\b/.test(error.response ?? '')

/** Commands with which a connection begins. */
const beginnings = ['CONN', 'EHLO', 'HELO']
/** RFC 3463, as servers use it: 4.3.2 and 4.7.0 for too many connections. Others say it in words. */
const saysTooMany =
  /^4\d\d[ -]4\.(3\.2|7\.0)\b|too many (\w+ )?(connections|sessions|log-?ins)|(concurrent|simultaneous) (connections|sessions)/i

/** True where the server has no place for this connection: 421, 432 (Exchange Online), any temporary refusal to begin, or it says so. */
export const isBusy = ({ command = '', responseCode = 0, response = '' }: SmtpError): boolean =>
  [421, 432].includes(responseCode) ||
  (responseCode >= 400 &&
    responseCode < 500 &&
    !['RCPT TO', 'DATA'].includes(command) &&
    (beginnings.includes(command) || saysTooMany.test(response)))

const setting = 'GATEHOUSE_MAIL_URL'

/** What a refused certificate means, by the code of Node. */
function certificateFault({ originalCode = '', message, reason }: SmtpError): string | undefined {
  if (originalCode === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return `The server's certificate is for another name (${reason ?? message}). Write a name that it has into ${setting}.`
  if (originalCode === 'CERT_HAS_EXPIRED' || originalCode === 'CERT_NOT_YET_VALID')
    return `The server's ${message}. It needs a new one, or the clock of this machine is wrong.`
  if (/SELF_SIGNED_CERT|UNABLE_TO_(VERIFY|GET)|CERT_UNTRUSTED/.test(originalCode))
    return `The server's certificate is from no authority that is known here (${message.split(';')[0]}). Name a file with that of its authority in NODE_EXTRA_CA_CERTS, in the environment of the service.`
  return undefined
}

/** What a failed handshake means: the words of OpenSSL say little. */
function handshakeFault(
  { originalCode = '', reason = originalCode }: SmtpError,
  { protocol }: URL,
): string | undefined {
  if (!/^ERR_SSL_|^EPROTO$/.test(originalCode)) return undefined
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(originalCode))
    return 'The server knows no TLS 1.2 or newer. Update it.'
  if (protocol === 'smtps:' && /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(originalCode))
    return `The server does not begin with TLS at this port. Write smtp:// instead of smtps:// into ${setting}, or the port that does, usually 465.`
  return `TLS with the server failed: ${reason}.`
}

/** What went wrong with the server at this address and, where a setting would mend it, which. */
export function reasonOf(error: SmtpError, address: string): string {
  const { message, code, response } = error
  if (isAboutUnknownRecipient(error)) return `The mail server says that this address takes no mail: ${response}`
  const url = new URL(address)
  const fault = certificateFault(error) ?? handshakeFault(error, url)
  if (fault !== undefined) return fault
  if (code === 'ETLS' && url.searchParams.get('tls') !== 'opportunistic')
    return `${message} The server offers no TLS: use smtps://, or add ?tls=opportunistic to ${setting} to send without it.`
  if (message === 'Greeting never received' && url.protocol === 'smtp:')
    return `The server does not greet. If it begins with TLS at this port (usually 465), write smtps:// into ${setting}.`
  return message
}
