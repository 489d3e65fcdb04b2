import type { FastifyInstance } from 'fastify'

/** The messages of the errors that this server logs from now on. Not those of others: by default they share a log. */
export function loggedErrors({ app }: { app: FastifyInstance }): string[] {
  const messages: string[] = []
  const error = ({ err }: { err?: Error }) => messages.push(err?.message ?? '')
  Object.assign(app, { requestLog: { ...app.requestLog, error } })
  return messages
}
