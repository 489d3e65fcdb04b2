import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '@gatehouse/plugin-kit'
import { checkPlugin, checkTogether } from './check.ts'
import { blamePlugin } from './refuse.ts'
import { type PluginPackage, resolvePlugin } from './resolve.ts'

/** A plugin and its origin. */
export interface LoadedPlugin extends Omit<PluginPackage, 'entry'> {
  readonly plugin: Plugin
  /** As GATEHOUSE_PLUGINS names it. */
  readonly source: string
}

const kit = '@gatehouse/plugin-kit'
let isKitProvided = false

/** Gives every plugin the server's own plugin-kit, wherever its package is, so that both use the same version. */
function provideKit(): void {
  if (isKitProvided) return
  isKitProvided = true
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier, specifier === kit ? { ...context, parentURL: import.meta.url } : context),
  })
}

async function importPlugin(source: string, entry: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(entry).href)) as { default?: unknown }
    return module.default
  } catch (error) {
    return blamePlugin(source, 'its package cannot be loaded', error)
  }
}

async function loadPlugin(source: string): Promise<LoadedPlugin> {
  const { entry, ...found } = resolvePlugin(source)
  const plugin = checkPlugin(source, await importPlugin(source, entry))
  return { plugin, source, ...found }
}

/** Loads the listed plugins; throws ConfigError with one line that says what is wrong. If none is listed, none is imported. */
export async function loadPlugins(sources: readonly string[]): Promise<LoadedPlugin[]> {
  if (sources.length > 0) provideKit()
  const loaded: LoadedPlugin[] = []
  for (const source of sources) loaded.push(await loadPlugin(source))
  checkTogether(loaded)
  return loaded
}
