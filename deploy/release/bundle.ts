import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { nodeFileTrace } from '@vercel/nft'

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly [field: string]: unknown
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Native code, in a package for each platform: npm chooses it at the installation. */
export const nativePackages = ['sharp', '@node-rs/argon2', '@node-rs/bcrypt']

const isNative = (path: string): boolean => /node_modules\/(sharp|@img|@node-rs)\//.test(path)

/** Files that are read by a name made at run time, which the trace cannot see. */
const alsoNeeded = [
  'node_modules/better-sqlite3/{LICENSE,lib/**,prebuilds/**}',
  'node_modules/world-countries/countries.json',
  'node_modules/flag-icons/flags/4x3/*.svg',
  'node_modules/@zxcvbn-ts/language-{common,en}/src/*.json',
  'node_modules/@fastify/swagger-ui/static/**',
]
const notNeeded = /\.(map|d\.[cm]?ts|md)$|^node_modules\/(vite|vitest|typescript|@gatehouse)\//

const packageOf = (path: string): string => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? ''

/**
 * Copies the files of `node_modules` that the modules in `entries` can reach to `to`, and returns the packages' names and
 * versions. Their manifests keep what Node reads: install steps and dependencies are settled here.
 */
export async function bundleDependencies(
  root: string,
  entries: readonly string[],
  to: string,
): Promise<Record<string, string>> {
  const { fileList } = await nodeFileTrace([...entries], { base: root, ignore: isNative })
  const more = alsoNeeded.flatMap((pattern) => globSync(pattern, { cwd: root }))
  const files = [...new Set([...fileList, ...more])].filter(
    (path) => path.startsWith('node_modules/') && !notNeeded.test(path) && !isNative(path),
  )
  const packages = new Set(files.map(packageOf))
  const licences = [...packages].flatMap((path) => globSync(`${path}/{LICEN[SC]E,NOTICE}*`, { cwd: root }))
  for (const path of [...files, ...licences]) {
    mkdirSync(dirname(join(to, path)), { recursive: true })
    cpSync(join(root, path), join(to, path), { dereference: true, recursive: true })
  }
  const bundled: Record<string, string> = {}
  for (const path of packages) {
    const { name, version } = writeBareManifest(root, to, path, packages)
    if (path.lastIndexOf('node_modules/') === 0) bundled[name] = version
  }
  return bundled
}

/** The manifest without install steps. Of the dependencies only those stay that are inside of the package's own folder. */
function writeBareManifest(root: string, to: string, path: string, packages: ReadonlySet<string>): Manifest {
  const { name, version, type, main, module, exports, imports, license } = readManifest(join(root, path))
  const isInside = (inner: string) => inner.startsWith(`${path}/node_modules/`)
  const inside = [...packages].filter(isInside).map((inner) => readManifest(join(root, inner)))
  const own = inside.length === 0 ? undefined : Object.fromEntries(inside.map((inner) => [inner.name, inner.version]))
  const bare = { name, version, license, type, main, module, exports, imports, dependencies: own }
  writeFileSync(join(to, path, 'package.json'), `${JSON.stringify(bare, null, 2)}\n`)
  if (!existsSync(join(to, path))) throw new Error(`${path} was not copied`)
  return { name, version }
}
