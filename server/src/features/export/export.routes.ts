import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../core/context.ts'
import { unpagedParameters } from '../../http/openapi-route.ts'
import { addRoute } from '../../http/route.ts'
import { streamText } from '../../http/stream-text.ts'
import { shownColumns } from '../accounts/users.table.ts'
import { userList } from '../users/users.list.ts'
import { exportUsers, openExport } from './export.ts'

const query = {
  format: Type.Optional(
    Type.String({
      enum: ['csv', 'ndjson'],
      description: 'The format of the file: csv unless given.',
      examples: ['csv'],
    }),
  ),
  fields: Type.Optional(
    Type.String({
      description: `Comma-separated: ${shownColumns.join(', ')}. Default: all of them.`,
      examples: ['id,email'],
    }),
  ),
}

const TextFile = Type.String({ contentMediaType: 'text/csv' })

export function exportRoutes(app: FastifyInstance, ctx: Context): void {
  addRoute(app, {
    method: 'GET',
    path: '/users/export',
    tag: 'Users',
    operationId: 'exportUsers',
    summary: 'Export users as a file',
    description:
      'All users who match the filters of GET /users, in the order of its sorts: one consistent state, streamed. CSV is safe to open in a spreadsheet. Importing an export changes nothing.',
    access: { permission: 'users.manage' },
    freshProof: true,
    query: { ...unpagedParameters(userList), ...query },
    answer: TextFile,
    alsoAnswers: ['application/x-ndjson'],
    handle: async (call) => {
      if (call.request.method === 'HEAD') return streamText(call, openExport(ctx, call.query), Readable.from([]))
      const file = await exportUsers(ctx, call.actor, call.query)
      return streamText(call, file, file.stream)
    },
  })
}
