import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { errors } from '../core/errors.ts'
import { kindOf } from './media-types.ts'

const isSecure = (config: Config): boolean => config.publicUrl.startsWith('https:')

/** `__Host-`: no other host or path can set or shadow it. Browsers accept it only over https. */
export const cookieName = (config: Config): string => (isSecure(config) ? '__Host-gatehouse' : 'gatehouse')

/** The value of the console's cookie, if the request has one. */
export function cookieOf(request: FastifyRequest, config: Config): string | undefined {
  const { cookie, origin } = request.headers
  // An application on another origin calls with a bearer credential or none.
  if (origin !== undefined && config.corsOrigins.includes(origin)) return undefined
  return cookie === undefined ? undefined : parseCookie(cookie)[cookieName(config)]
}

/** Sets the cookie, out of reach for scripts and for requests of other sites; null removes it. */
export function setCookie(reply: FastifyReply, config: Config, token: string | null): void {
  const cookie = {
    name: cookieName(config),
    path: '/',
    httpOnly: true,
    sameSite: 'strict',
    secure: isSecure(config),
  } as const
  const value = token === null ? { value: '', maxAge: 0, expires: new Date(0) } : { value: token }
  reply.header('set-cookie', stringifySetCookie({ ...cookie, ...value }))
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * A browser sends a cookie with requests from any site's pages. So a request that changes something is accepted only if the
 * browser says that it comes from our own pages (Fetch Metadata, or the Origin header in browsers without it).
 */
export function assertSameOrigin(request: FastifyRequest, config: Config): void {
  if (safeMethods.has(request.method)) return
  const { 'sec-fetch-site': site, origin } = request.headers
  const isOurs = site === undefined ? origin === new URL(config.publicUrl).origin : site === 'same-origin'
  if (!isOurs) throw errors.forbidden('This request does not come from our own pages.')
}

/**
 * Refuses to sign a browser in by cookie from another site's page. Requests that such a page can send without a preflight (a
 * form, a body without a type) must prove that they come from our own pages; JSON must only not say that it comes from
 * elsewhere.
 */
export function assertMayGetCookie(request: FastifyRequest, config: Config): void {
  const { 'sec-fetch-site': site, origin, 'content-type': type } = request.headers
  const isAskedFor = type !== undefined && kindOf(type) === 'json'
  const isElsewhere =
    site === undefined
      ? origin !== undefined && origin !== new URL(config.publicUrl).origin
      : site !== 'same-origin' && site !== 'none'
  if (isElsewhere) throw errors.forbidden('This request does not come from our own pages.')
  if (!isAskedFor) assertSameOrigin(request, config)
}
