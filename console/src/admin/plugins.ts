import type { ConsolePlugin } from '@gatehouse/plugin-kit/console'
import { home } from '../api/address.ts'
import { checkPlugin } from './check-plugin.ts'

/** Only from our own server: the policy of the page would refuse anything else, too. */
const addressOf = (path: string): string => new URL(home + path.replace(/^\/+/, ''), location.origin).href

async function load(path: string): Promise<ConsolePlugin> {
  const module = (await import(/* @vite-ignore */ addressOf(path))) as { default?: ConsolePlugin }
  if (typeof module.default !== 'object' || module.default === null)
    throw new Error('it has no plugin as its default export.')
  return module.default
}

/** Of `/plugins/{id}/console.js`. */
const idOf = (path: string): string => path.split('/').at(-2) ?? ''

/**
 * Loads the console halves that the server names. One that fails, or is not what it should be, is left out; the others and the
 * console go on.
 *
 * @returns also the paths of those that failed, with the reason.
 */
export async function loadPlugins(paths: readonly string[]): Promise<{ plugins: ConsolePlugin[]; failed: string[] }> {
  const results = await Promise.allSettled(paths.map(load))
  const plugins: ConsolePlugin[] = []
  const failed: string[] = []
  for (const [index, path] of paths.entries()) {
    const result = results[index] as PromiseSettledResult<ConsolePlugin>
    try {
      if (result.status === 'rejected') throw result.reason
      checkPlugin(result.value, idOf(path), plugins)
      plugins.push(result.value)
    } catch (error) {
      failed.push(`${path}: ${error instanceof Error ? error.message : error}`)
    }
  }
  return { plugins, failed }
}
