import {
  type Host,
  type ReadDb as KitReadDb,
  type Reads as KitReads,
  type Tx as KitTx,
  Type,
  type WriteDb,
} from '@gatehouse/plugin-kit'
import type { Tables } from './tables.ts'

export const settings = Type.Object({
  mails_per_minute: Type.Integer({
    minimum: 0,
    maximum: 1_000_000,
    default: 0,
    description: 'The maximum number of announcement mails per minute; 0: as many as the mail server accepts.',
    examples: [600],
  }),
})

export const errors = {
  announcements_already_notified: [422, 'This announcement has been mailed before.'],
} as const

/** The types of this plugin for the kit. */
export interface Shape {
  readonly tables: Tables
  readonly settings: typeof settings
  readonly errors: typeof errors
}

export type AnnouncementsHost = Host<Shape>
export type Tx = KitTx<Shape>
/** The host or a transaction, for a function that only reads. */
export type Reads = KitReads<Shape>
export type Db = WriteDb<Shape>
export type ReadDb = KitReadDb<Shape>

export const manage = { permission: 'announcements.manage' } as const
