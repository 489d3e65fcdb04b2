import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CaptchaConfig, Config } from '../config.ts'
import { errors } from '../core/errors.ts'
import { names } from './accept.ts'
import { cookieOf } from './cookies.ts'
import { type Asset, assetHeaders, isHashed, readAssets, sendAsset } from './static-files.ts'

const open = { config: { access: { public: true } }, schema: { hide: true } } as const

/** The output of the console's build (console/build.ts). */
const builtConsole = join(import.meta.dirname, '../../../console/dist')

const publicPages = [
  '/login',
  '/register',
  '/check-mail',
  '/verify-email',
  '/forgot-password',
  '/reset-password',
  '/accept-invitation',
  '/add-factor',
  '/secure-account',
]

/** The only other hosts that a page may load from, if a captcha is configured. Sources: the providers' CSP guides. */
const captchaHosts: Record<CaptchaConfig['provider'], Record<string, string>> = {
  recaptcha: {
    script: 'https://www.google.com/recaptcha/ https://www.gstatic.com/recaptcha/',
    frame: 'https://www.google.com/recaptcha/ https://recaptcha.google.com/recaptcha/',
  },
  hcaptcha: {
    script: 'https://hcaptcha.com https://*.hcaptcha.com',
    frame: 'https://hcaptcha.com https://*.hcaptcha.com',
    style: 'https://hcaptcha.com https://*.hcaptcha.com',
    connect: 'https://hcaptcha.com https://*.hcaptcha.com',
  },
  turnstile: { script: 'https://challenges.cloudflare.com', frame: 'https://challenges.cloudflare.com' },
}

/**
 * The CSP of a page: no inline code except styles with this answer's nonce, and nothing from other hosts except pictures
 * over https (external avatars).
 */
function policyOf(nonce: string, captcha: CaptchaConfig | null, publicUrl: string): string {
  const hosts = captcha === null ? {} : captchaHosts[captcha.provider]
  const also = (kind: string) => (hosts[kind] === undefined ? '' : ` ${hosts[kind]}`)
  return [
    "default-src 'none'",
    `script-src 'self'${also('script')}`,
    `style-src 'self' 'nonce-${nonce}'${also('style')}`,
    // Our own pictures use the public URL, which may be another name of this host. External ones are allowed only over https.
    `img-src 'self' ${new URL(publicUrl).origin} data: blob: https:`,
    `connect-src 'self'${also('connect')}`,
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-src 'self'${also('frame')}`,
    "frame-ancestors 'none'",
  ].join('; ')
}

const notBuilt =
  'The console is not built yet.\n\nnpm run build\n\nbuilds it; the API is there without it, below /api.\n'

interface Site {
  readonly admin: string
  readonly public: string
  readonly assets: ReadonlyMap<string, Asset>
}

function readSite(dir: string): Site | undefined {
  if (!existsSync(dir)) return undefined
  const assets = readAssets(dir)
  const [admin, page] = ['index.html', 'public.html'].map((name) => assets.get(name)?.readText())
  return admin === undefined || page === undefined ? undefined : { admin, public: page, assets }
}

/** Serves the console at `/` (the sign-in page to who is not signed in), the public pages, and their assets. If the console has not been built, the answer says how to build it. */
export function pageRoutes(app: FastifyInstance, config: Config, dir = builtConsole): void {
  let site: Site | undefined
  const getSite = () => {
    site ??= readSite(dir)
    return site
  }

  const sendPage = (page: 'admin' | 'public', request: FastifyRequest, reply: FastifyReply, folder = './') => {
    const html = getSite()?.[page]
    if (html === undefined) return reply.status(503).type('text/plain; charset=utf-8').send(notBuilt)
    const nonce = randomBytes(16).toString('base64')
    const captcha = page === 'public' ? config.captcha : null
    // Scripts cannot see the cookie. This saves the first page of an anonymous visitor a request that would be answered with 401.
    const visitor = cookieOf(request, config) === undefined ? 'anonymous' : 'returning'
    return reply
      .header('content-security-policy', policyOf(nonce, captcha, config.publicUrl))
      .type('text/html; charset=utf-8')
      .send(
        html
          .replaceAll('__CSP_NONCE__', nonce)
          .replaceAll('__VISITOR__', visitor)
          .replaceAll('__HOME__', folder === './' ? '' : folder)
          .replaceAll(/(href|src)="\.\//g, `$1="${folder}`),
      )
  }

  // A mistyped address, in any folder: browsers get a page; programs get the usual error.
  app.missingPage = (request, reply) =>
    isForPeople(request) && getSite() !== undefined
      ? sendPage('public', request, reply.status(404), new URL('./', `${config.publicUrl}/`).pathname)
      : undefined

  // A stranger signs in first: the public pages are a fifth of the console.
  app.get('/', open, (request, reply) =>
    sendPage(cookieOf(request, config) === undefined ? 'public' : 'admin', request, reply),
  )
  for (const path of publicPages) app.get(path, open, (request, reply) => sendPage('public', request, reply))

  app.get('/assets/*', open, (request, reply) => {
    const name = `assets/${(request.params as { '*': string })['*']}`
    const asset = getSite()?.assets.get(name)
    if (asset === undefined || name.endsWith('.html')) throw errors.not_found()
    return sendAsset(request, reply, asset, isHashed(name) ? assetHeaders.immutable : assetHeaders.revalidated)
  })

  for (const path of ['/favicon.svg', '/favicon.ico']) {
    app.get(path, open, (request, reply) => {
      const asset = getSite()?.assets.get('favicon.svg')
      if (asset === undefined) throw errors.not_found()
      return sendAsset(request, reply, asset, assetHeaders.revalidated)
    })
  }
}

/** True if a browser asks for a page, outside the folders that have none. */
const isForPeople = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  names(headers.accept, 'text/html') &&
  !/^\/+(api|assets|avatars|plugins)(\/|$|\?)/.test(url)
