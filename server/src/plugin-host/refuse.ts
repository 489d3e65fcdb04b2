import { ConfigError } from '../config.ts'

/** A plugin that cannot be used: the start fails with this one line. */
export function refusePlugin(plugin: string, why: string): never {
  throw new ConfigError(`GATEHOUSE_PLUGINS: ${plugin}: ${why.replaceAll(/\s*[\r\n]+\s*/g, ' ')}`)
}

/** Refuses a plugin because of an error that its code or one of its values has caused. */
export function blamePlugin(plugin: string, what: string, error: unknown): never {
  if (error instanceof ConfigError) throw error
  return refusePlugin(plugin, `${what}: ${error instanceof Error ? error.message : error}`)
}
