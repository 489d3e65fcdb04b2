import packageJson from '../package.json' with { type: 'json' }

/** The version of this program. */
export const { version } = packageJson

/** The commit that it was built from, where a package was built; see `npm run release`. */
export const commit: string = (packageJson as { commit?: string }).commit ?? 'unknown'
