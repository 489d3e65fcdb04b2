import { ConfigError } from '../config.ts'

/** A plugin that cannot be used: the start fails with this one line. */
export const refusePlugin = (plugin: string, why: string): never => {
  throw new ConfigError(`GATEHOUSE_PLUGINS: ${plugin}: ${why.replaceAll(/\s*[\r\n]+\s*/g, ' ')}`)
}
