import { randomUUID } from 'node:crypto'
import { domainToASCII } from 'node:url'
import type { Config } from '../config.ts'

export interface Sender {
  /** Empty if it has no name. */
  readonly name: string
  readonly address: string
  readonly domain: string
}

/** Reads a sender, `Gatehouse <no-reply@example.com>` or an address alone. The address is not checked. */
export function parseSender(mailFrom: string): Sender {
  const [, name = '', address = mailFrom] = /^([^<>\r\n]*)<([^<>\s]+)>$/.exec(mailFrom) ?? []
  return { name: name.trim().replaceAll(/^"|"$/g, ''), address, domain: address.replace(/^.*@/, '') }
}

/** Makes Message-IDs of the sender's domain, in ASCII (RFC 5322, section 3.6.4). */
export function messageIdsOf({ mailFrom }: Pick<Config, 'mailFrom'>): () => string {
  const domain = domainToASCII(parseSender(mailFrom).domain) || 'localhost'
  return () => `<${randomUUID()}@${domain}>`
}

/** The name of this service in messages: the name of the sender, else its host. */
export const serviceNameOf = ({ mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): string =>
  parseSender(mailFrom).name || new URL(publicUrl).host
