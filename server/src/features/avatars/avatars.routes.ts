import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../core/context.ts'
import { ownId } from '../../core/own-id.ts'
import { type Access, anyCredential } from '../../http/credentials.ts'
import { acceptFileForms, receiveFile } from '../../http/multipart.ts'
import { addRoute, type Call } from '../../http/route.ts'
import { dataOf } from '../../http/schemas.ts'
import { pictureRoutes } from '../avatar-files/avatar-files.routes.ts'
import { User } from '../users/users.schemas.ts'
import { toUser } from '../users/users.service.ts'
import { ExternalAvatar } from './avatars.schemas.ts'
import { maxAvatarBytes, removeAvatar, setExternalAvatar, type Target, uploadAvatar } from './avatars.service.ts'

/** The same three operations for a user by id and for the caller. */
interface Family {
  readonly path: '/users/{id}/avatar' | '/me/avatar'
  readonly tag: string
  readonly whose: string
  readonly names: { upload: string; external: string; remove: string }
  readonly access: Access
  readonly targetOf: (call: Pick<Call<unknown>, 'actor' | 'id'>) => Target
}

const families: Family[] = [
  {
    path: '/users/{id}/avatar',
    tag: 'Users',
    whose: 'a user’s',
    names: { upload: 'uploadAvatar', external: 'setExternalAvatar', remove: 'removeAvatar' },
    access: { permission: 'users.manage' },
    targetOf: ({ id }) => ({ id, own: false }),
  },
  {
    path: '/me/avatar',
    tag: 'Me',
    whose: 'your',
    names: { upload: 'uploadMyAvatar', external: 'setMyExternalAvatar', remove: 'removeMyAvatar' },
    access: { permission: anyCredential },
    targetOf: ({ actor }) => ({ id: ownId(actor), own: true }),
  },
]

const receive = (request: FastifyRequest) => () => receiveFile(request, { maxBytes: maxAvatarBytes })

export async function avatarsRoutes(app: FastifyInstance, ctx: Context): Promise<void> {
  pictureRoutes(app, ctx)
  for (const { path, tag, whose, names, access, targetOf } of families) {
    await acceptFileForms(app, (forms) => {
      addRoute(forms, {
        method: 'POST',
        path,
        tag,
        operationId: names.upload,
        access,
        takesFile: true,
        summary: `Upload ${whose} avatar`,
        description:
          'PNG, JPEG, WebP, GIF or AVIF by content, at most 5 MiB and 40 megapixels. It is turned upright, cropped to a square and re-encoded without its metadata.',
        answer: dataOf(User),
        handle: async (call) => {
          const row = await uploadAvatar(ctx, call.actor, targetOf(call), receive(call.request))
          return { data: toUser(row, ctx.config) }
        },
      })
    })

    addRoute(app, {
      method: 'PUT',
      path: `${path}/external`,
      tag,
      operationId: names.external,
      access,
      summary: `Set ${whose} avatar to a picture elsewhere`,
      description: 'The address is stored as it is; the server never fetches it.',
      body: ExternalAvatar,
      answer: dataOf(User),
      handle: async (call) => {
        const row = await setExternalAvatar(ctx, call.actor, targetOf(call), call.body)
        return { data: toUser(row, ctx.config) }
      },
    })

    addRoute(app, {
      method: 'DELETE',
      path,
      tag,
      operationId: names.remove,
      access,
      summary: `Bring ${whose} default avatar back`,
      answer: dataOf(User),
      handle: async (call) => ({ data: toUser(await removeAvatar(ctx, call.actor, targetOf(call)), ctx.config) }),
    })
  }
}
