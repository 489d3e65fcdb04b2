import type { Config } from '../config.ts'

/** Splits a sender into name and address, so that a comma in the name does not make two of them. */
export function parseSender(mailFrom: string): { name: string; address: string } {
  const [, name = '', address = mailFrom] = /^([^<>]*)<([^<>\s]+)>$/.exec(mailFrom) ?? []
  return { name: name.trim().replaceAll(/^"|"$/g, ''), address }
}

/** What mail calls this service: as its sender is called, else by its host. */
export const serviceNameOf = ({ mailFrom, publicUrl }: Pick<Config, 'mailFrom' | 'publicUrl'>): string =>
  parseSender(mailFrom).name || new URL(publicUrl).host
