import type { DeliveryKind } from './deliveries.table.ts'

/** How many messages of one kind a node sends at a time, at most. */
export const atOnce = 5

/** One mail or SMS, rendered and ready to be sent. */
export interface Message {
  readonly kind: DeliveryKind
  /** Which message it is, e.g. `reset-password`. */
  readonly template: string
  readonly userId: number | null
  /** An email address, or a phone number in E.164 form. */
  readonly recipient: string
  /** Null for SMS. */
  readonly subject: string | null
  readonly text: string
  /** Null for SMS. */
  readonly html: string | null
  /** True where the body holds a token or code: it is erased once the message is sent or given up. */
  readonly secret: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** For how long trying makes sense; two days unless said otherwise. */
  readonly retryForMs?: number
}

/** What differs for one recipient of a mail to many. */
export interface BulkMail {
  readonly userId: number
  readonly recipient: string
  /** JSON objects, or null. */
  readonly headers: string | null
  readonly perRecipient: string | null
}

/** A message as a transport gets it. */
export interface Outgoing extends Message {
  /** The same on every attempt. */
  readonly messageId: string
}

/** The server refuses this recipient, for now or for good. It may accept the others. */
export class RecipientRefusedError extends Error {}

/** The server says that there is no such recipient. */
export class RecipientUnknownError extends RecipientRefusedError {}

/** The server refuses this connection, for now. It may take the message over one of the others. */
export class ServerBusyError extends Error {}

/** Hands a message to a server; throws if it was not accepted. Must time out by itself. */
export interface Transport {
  readonly send: (message: Outgoing) => Promise<'sent' | 'captured'>
  readonly close: () => Promise<void>
}
