import { existsSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { errors } from '../core/errors.ts'
import { assetHeaders, readAsset, sendAsset } from '../http/static-files.ts'
import type { LoadedPlugin } from './load.ts'

const pathOf = ({ plugin }: LoadedPlugin): string => `/plugins/${plugin.id}/console.js`

/** The path of a plugin's console half, below the public URL; undefined if its file was not built. */
export const consoleOf = (loaded: LoadedPlugin): string[] =>
  loaded.console !== null && existsSync(loaded.console) ? [pathOf(loaded)] : []

/** Serves the console half of a plugin: a public ES module, like the console itself. It is read each time: its developer may build it meanwhile. */
export function consoleFileRoute(app: FastifyInstance, loaded: LoadedPlugin): void {
  const { console } = loaded
  if (console === null) return
  app.get(pathOf(loaded), { config: { access: { public: true } }, schema: { hide: true } }, (request, reply) => {
    if (!existsSync(console)) throw errors.not_found()
    return sendAsset(request, reply, readAsset(console), assetHeaders.revalidated)
  })
}
