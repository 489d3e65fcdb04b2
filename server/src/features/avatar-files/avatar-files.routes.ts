import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Context } from '../../core/context.ts'
import { errors } from '../../core/errors.ts'
import type { Access } from '../../http/credentials.ts'
import { isAvatarFile } from './avatar-url.ts'
import { storageOf } from './stored-avatars.ts'

const access: Access = { public: true }
const options = { config: { access }, schema: { hide: true } }
const defaultAvatar = readFileSync(new URL('default.svg', import.meta.url))

/** Any page may show a picture, but opened on its own it can do nothing. */
const pictureHeaders = (reply: FastifyReply, type: string, cacheControl: string): FastifyReply =>
  reply
    .type(type)
    .header('cache-control', cacheControl)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'cross-origin')

/** Serves the pictures without authentication: whoever has the address may see them. */
export function pictureRoutes(app: FastifyInstance, ctx: Context): void {
  const storage = storageOf(ctx)

  app.get('/avatars/default.svg', options, (_request, reply) =>
    pictureHeaders(reply, 'image/svg+xml', 'public, max-age=86400').send(defaultAvatar),
  )

  app.get('/avatars/:name', options, async (request, reply) => {
    const { name } = request.params as { name: string }
    const found = isAvatarFile(name) ? await storage.get(name) : undefined
    if (found === undefined) throw errors.not_found()
    // The address is the hash of the content, so the content never changes.
    pictureHeaders(reply, 'image/webp', 'public, max-age=31536000, immutable')
    if (found.bytes !== undefined) reply.header('content-length', found.bytes)
    return reply.send(found.stream)
  })
}
