import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Include, ListDefinition } from './list.ts'

/** Who calls. */
export interface Actor {
  /** Null for the command line, the system itself and strangers on a public path. */
  readonly userId: number | null
  /** Whether the caller's role, within the key's scope, holds the permission. */
  readonly may: (permission: string) => boolean
}

/** A body as it came in: fields of the right shape, and what is wrong with the others. */
export interface Draft<T> {
  /** The fields that were sent and have the right shape. */
  readonly given: Partial<T>
  /** Notes that a field cannot be taken. */
  readonly reject: (field: string, why: string) => void
  /** The whole body; throws `validation_failed` (422) with every field that was rejected. */
  readonly accept: () => T
}

/** What a handler gets: who calls, and what they sent, already checked for its shape. */
export interface Call<Body = unknown> {
  readonly actor: Actor
  /** The `{id}` of the path; a path with another spelling of a number is 404 before it gets here. */
  readonly id: number
  /** The other `{names}` of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Draft<Body>
  readonly query: URLSearchParams
}

/** Nobody in particular; whoever has a valid credential; or who holds the permission (a list: any of them). */
export type Access = 'public' | 'authenticated' | { readonly permission: string | readonly string[] }

interface Described {
  /** Below `/api`, as OpenAPI writes it: `/announcements/{id}`. */
  readonly path: string
  /** What OpenAPI and the generated client call it: `getAnnouncement`. Unique in the installation. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
}

/** `GET` of a list. */
export interface ListRoute<Row = never, M extends TProperties = TProperties> extends Described {
  readonly method: 'GET'
  readonly list: ListDefinition<Row>
  /** More that the answer's `meta` tells, beside the numbers of the page. */
  readonly meta?: { readonly schema: TObject<M>; readonly load: (call: Call) => Promise<Static<TObject<M>>> }
}

/** Every other route. `PUT` is taken wherever `PATCH` is. */
export interface ObjectRoute<B extends TSchema = TSchema, A extends TSchema = TSchema, Row = never> extends Described {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** A TypeBox object without nesting, sent as JSON or as a form; `"2"` is an integer, `1` a boolean. Unknown fields are ignored. */
  readonly body?: B
  /** How many bytes a body may have: 64 KiB unless said otherwise, at most 256 KiB. */
  readonly maxBodyBytes?: number
  /** Takes a form instead of JSON (urlencoded or multipart, as RFC 8058 lets a mail provider send it), and reads nothing of it. */
  readonly takesForm?: boolean
  /** The schema of `data`; `success` answers `{"success":true}`; `html` a page without scripts. */
  readonly answer: A | 'success' | 'html'
  /** 200 unless said otherwise. */
  readonly status?: 200 | 201 | 202
  /** What `?include=` may name here; `handle` then returns the row, and `toItem` shapes it. */
  readonly includes?: Readonly<Record<string, Include<Row>>>
  readonly toItem?: (row: Row) => object
  /** Can be refused with a 422 that is about no field. */
  readonly mayBeRefused?: boolean
  /** A method, so that a handler may name the type of its body. */
  handle(call: Call<Static<B>>): Promise<unknown>
}

// biome-ignore lint/suspicious/noExplicitAny: each route has its own body, answer and row
export type Route = ListRoute<any, any> | ObjectRoute<any, any, any>

/** Defines a route whose handler knows the type of its body. */
export const defineRoute = <B extends TSchema = TSchema, A extends TSchema = TSchema, Row = never>(
  route: ObjectRoute<B, A, Row>,
): Route => route
