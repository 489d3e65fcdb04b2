import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Include, ListDefinition } from './list.ts'

/** The caller. */
export interface Actor {
  /** Null for the command line, the system itself and anonymous callers of a public path. */
  readonly userId: number | null
  /** True if the caller's role, limited by the key's scope, has the permission. */
  readonly may: (permission: string) => boolean
}

/** A request body: the fields with the right shape, and the errors of the others. */
export interface Draft<T> {
  /** The fields that were sent and have the right shape. */
  readonly given: Partial<T>
  /** Rejects a field. */
  readonly reject: (field: string, why: string) => void
  /** Returns the whole body; throws `validation_failed` (422) with every rejected field. */
  readonly accept: () => T
}

/** What a handler gets: the caller, and the request with its shape already checked. */
export interface Call<Body = unknown> {
  readonly actor: Actor
  /** The `{id}` of the path. Another notation of the number is answered with 404 before. */
  readonly id: number
  /** The other `{names}` of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly body: Draft<Body>
  readonly query: URLSearchParams
}

/** Everybody; any caller with a valid credential; or callers with the permission (a list: any of them). */
export type Access = 'public' | 'authenticated' | { readonly permission: string | readonly string[] }

interface Described {
  /** Below `/api`, in OpenAPI notation: `/announcements/{id}`. */
  readonly path: string
  /** The name in OpenAPI and in the generated client: `getAnnouncement`. Unique in the installation. */
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly access: Access
}

/** What a handler of a route with `answer: { file: … }` returns. */
export interface FileAnswer {
  /** The name that a browser saves it under: letters, digits, `.`, `-` and `_`. */
  readonly name: string
  /** The whole, or its pieces. If they fail, the connection is cut, so that nobody takes a part for the whole. */
  readonly content: string | Uint8Array | AsyncIterable<string | Uint8Array>
}

/** `GET` of a list. */
export interface ListRoute<Row = never, M extends TProperties = TProperties> extends Described {
  readonly method: 'GET'
  readonly list: ListDefinition<Row>
  /** Further values for the answer's `meta`, besides the numbers of the page. */
  readonly meta?: { readonly schema: TObject<M>; readonly load: (call: Call) => Promise<Static<TObject<M>>> }
}

/** Every other route. `PUT` is accepted wherever `PATCH` is. */
export interface ObjectRoute<B extends TSchema = TSchema, A extends TSchema = TSchema, Row = never> extends Described {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** A TypeBox object without nesting, sent as JSON or as a form; `"2"` is an integer, `1` a boolean. Unknown fields are ignored. */
  readonly body?: B
  /** Maximum size of a body in bytes; default 64 KiB, at most 256 KiB. */
  readonly maxBodyBytes?: number
  /** Accepts a form instead of JSON (urlencoded or multipart, as RFC 8058 lets a mail provider send it), and ignores its content. */
  readonly takesForm?: boolean
  /**
   * The schema of `data`; `success` answers `{"success":true}`; `html` a page without scripts; `{ file: 'text/csv' }` a download
   * of that type, for which `handle` returns a {@link FileAnswer}.
   */
  readonly answer: A | 'success' | 'html' | { readonly file: string }
  /** With `html`: the page of an error, for a browser (`Accept: text/html`). Everybody else gets the usual JSON. */
  readonly errorPage?: (error: { readonly status: number; readonly message: string }) => string
  /** Default: 200. */
  readonly status?: 200 | 201 | 202
  /** The includes that `?include=` may name here; `handle` then returns the row, and `toItem` shapes it. */
  readonly includes?: Readonly<Record<string, Include<Row>>>
  readonly toItem?: (row: Row) => object
  /** True if it can be refused with a 422 that concerns no field. */
  readonly mayBeRefused?: boolean
  /** Parameters of the query, for the documentation: `{ status: Type.Optional(Type.String()) }`. Read and check them in `call.query`. */
  readonly query?: Readonly<Record<string, TSchema>>
  /** A method, so that a handler can declare the type of its body. */
  handle(call: Call<Static<B>>): Promise<unknown>
}

// biome-ignore lint/suspicious/noExplicitAny: each route has its own body, answer and row
export type Route = ListRoute<any, any> | ObjectRoute<any, any, any>

/** Defines a route whose handler knows the type of its body. */
export const defineRoute = <B extends TSchema = TSchema, A extends TSchema = TSchema, Row = never>(
  route: ObjectRoute<B, A, Row>,
): Route => route
