import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// Nothing runs at an installation (.npmrc). So a package with an install step must work without it: whoever adds one finds
// out, and writes its name into "allowScripts" of package.json. And only with the layout below npm 10 makes .bin/node.

interface Package {
  readonly hasInstallScript?: boolean
  readonly gypfile?: boolean
  readonly scripts?: Record<string, string>
  readonly allowScripts?: Record<string, boolean>
}

const root = join(import.meta.dirname, '..')
const read = (path: string): Package => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** npm compiles what has a binding.gyp, though no script of the package and not always the lock file says so. */
const isCompiled = (path: string) =>
  existsSync(join(root, path, 'binding.gyp')) && read(`${path}/package.json`).gypfile !== false

const { allowScripts = {} } = read('package.json')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Package & { readonly bin?: Record<string, string> }>
}
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
const isForeign = ([path]: [string, unknown]) => path.includes('node_modules/')
const withSteps = Object.entries(packages)
  .filter(isForeign)
  .filter(([path, { hasInstallScript }]) => hasInstallScript === true || isCompiled(path))
  .map(([path]) => nameOf(path))

const problems = [
  ...withSteps
    .filter((name) => allowScripts[name] !== false)
    .map(
      (name) =>
        `${name} has an install step, which is not run. If it works without, add it to "allowScripts" as false.`,
    ),
  ...Object.keys(allowScripts)
    .filter((name) => !withSteps.includes(name))
    .map((name) => `${name} is in "allowScripts" and has no install step.`),
  ...Object.entries(packages)
    .filter(([path, { bin }]) => path.startsWith('node_modules/node-') && bin?.node !== undefined)
    .map(([path]) => `${path} must be node/${path} in package-lock.json: npm 10 would take .bin/node away again.`),
]
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length > 0 ? 1 : 0
