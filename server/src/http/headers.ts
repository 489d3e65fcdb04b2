import type { FastifyInstance } from 'fastify'

/** Headers of every answer. Routes that show a page relax their own policy. */
const fixedHeaders = (publicUrl: string): Record<string, string> => ({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
})

export const securityHeaders = (publicUrl: string, requestId: string): Record<string, string> => ({
  ...fixedHeaders(publicUrl),
  'x-request-id': requestId,
})

export function addSecurityHeaders(app: FastifyInstance, publicUrl: string): void {
  const fixed = fixedHeaders(publicUrl)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id)
    done()
  })
}
