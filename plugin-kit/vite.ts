import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { InlineConfig } from 'vite'

/** The location of the shared modules of the console, relative to `/plugins/{id}/console.js`. */
const kitAddress = '../../assets/kit.js'

/** The modules that a console half may import. The compiler inserts React's JSX runtime, which is part of the kit, too. */
const shared = ['@gatehouse/plugin-kit/console', 'react/jsx-runtime', 'react/jsx-dev-runtime']

/** Packages of which the page must have only the console's copy. */
const ofTheConsole = /^(react|react-dom|react-admin|react-hook-form|@mui\/material|@tanstack\/react-query)(\/|$)/

/**
 * How the console half of a plugin is built: `{dir}/console/index.tsx` becomes `{dir}/dist/console.js`, one ES module whose
 * only import is the kit, so that React, react-admin and MUI are those of the console.
 *
 * ```ts
 * import { pluginConsole } from '@gatehouse/plugin-kit/vite'
 * import { build } from 'vite'
 * await build(pluginConsole(import.meta.dirname))
 * ```
 */
export function pluginConsole(dir: string): InlineConfig {
  const entry = ['index.tsx', 'index.ts'].map((name) => join(dir, 'console', name)).find((path) => existsSync(path))
  if (entry === undefined) throw new Error(`${dir}/console has no index.tsx`)
  return {
    configFile: false,
    root: dir,
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    oxc: { jsx: { runtime: 'automatic', development: false } },
    plugins: [
      {
        name: 'gatehouse-kit',
        enforce: 'pre',
        resolveId: (id) => {
          if (shared.includes(id)) return { id: kitAddress, external: true }
          if (ofTheConsole.test(id))
            throw new Error(`import what you need of ${id} from '@gatehouse/plugin-kit/console': a page has one React`)
          return null
        },
      },
    ],
    build: {
      outDir: join(dir, 'dist'),
      emptyOutDir: false,
      lib: { entry, formats: ['es'], fileName: () => 'console.js' },
    },
  }
}
