import type { ConsolePlugin } from '@gatehouse/plugin-kit/console'
import { home } from '../api/address.ts'

/** Only from our own server: the policy of the page would refuse anything else, too. */
const addressOf = (path: string): string => new URL(home + path.replace(/^\/+/, ''), location.origin).href

async function load(path: string): Promise<ConsolePlugin> {
  const module = (await import(/* @vite-ignore */ addressOf(path))) as { default?: ConsolePlugin }
  if (typeof module.default?.id !== 'string') throw new Error(`${path} exports no console plugin`)
  return module.default
}

/** Loads the console halves that the server names. One that fails is left out; the others and the console go on. */
export async function loadPlugins(paths: readonly string[]): Promise<{ plugins: ConsolePlugin[]; failed: string[] }> {
  const results = await Promise.allSettled(paths.map(load))
  const plugins = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failed = paths.filter((_, index) => results[index]?.status === 'rejected')
  return { plugins, failed }
}
