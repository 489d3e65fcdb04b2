import type { Table, TableSum } from './snapshot.ts'

/*
 * An archive is a tar file, packed by zstd, and encrypted in the age format where there is a passphrase. Its entries, in order:
 * `gatehouse.json` (Header), `tables/NAME/00000001.copy` and so on, `avatars/NAME`, `secrets/NAME`, `manifest.json` (Manifest).
 */

export const format = 1

/** What is known before the rows are read. */
export interface Header {
  readonly format: typeof format
  /** The version that made it. */
  readonly version: string
  readonly created_at: string
  readonly engine: 'sqlite' | 'postgres'
  readonly migrations: Readonly<Record<string, readonly string[]>>
  readonly tables: readonly (Table & { readonly rows: number })[]
}

/** What is known when everything has been read. */
export interface Manifest {
  readonly tables: Readonly<Record<string, TableSum>>
  readonly sequences: Readonly<Record<string, number>>
  /** `sha256` is over a line for each file: its own SHA-256, two spaces, its name. `missing` were not in the storage. */
  readonly avatars: { readonly files: number; readonly sha256: string; readonly missing: number }
  /** The SHA-256 of each. */
  readonly secrets: Readonly<Record<string, string>>
}

export const names = { header: 'gatehouse.json', manifest: 'manifest.json' } as const

/** A file that is a damaged archive or no archive at all; the message says what is wrong. */
export class ArchiveError extends Error {}
