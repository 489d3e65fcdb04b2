import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { errors } from '../core/errors.ts'
import type { LoadedPlugin } from './load.ts'

const pathOf = ({ plugin }: LoadedPlugin): string => `/plugins/${plugin.id}/console.js`

/** The path of a plugin's console half, below the public URL; undefined if its file was not built. */
export const consoleOf = (loaded: LoadedPlugin): string[] =>
  loaded.console !== null && existsSync(loaded.console) ? [pathOf(loaded)] : []

/** Serves the console half of a plugin: a public ES module, like the console itself. */
export function consoleFileRoute(app: FastifyInstance, loaded: LoadedPlugin): void {
  const { console } = loaded
  if (console === null) return
  app.get(pathOf(loaded), { config: { access: { public: true } }, schema: { hide: true } }, async (_request, reply) => {
    const text = await readFile(console, 'utf8').catch(() => {
      throw errors.not_found()
    })
    return reply.type('text/javascript; charset=utf-8').header('cache-control', 'no-cache').send(text)
  })
}
