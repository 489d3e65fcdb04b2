import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const root = resolve(import.meta.dirname, '../..')

const { version } = JSON.parse(readFileSync(join(root, 'node_modules/@sparticuz/chromium/package.json'), 'utf8'))

/** Not in /tmp, where the package itself would look: there, another user's would be found, or anybody's. */
const unpacked = join(root, `node_modules/.cache/chromium-${version}`)

const unpackScript = "import chromium from '@sparticuz/chromium'; await chromium.executablePath()"

/** The browser from npm, the fonts and the libraries that come with it, each where the others look for it. */
function unpack(): void {
  mkdirSync(dirname(unpacked), { recursive: true })
  const folder = mkdtempSync(`${unpacked}-`)
  // The package unpacks the libraries (NSS, NSPR, expat) only where it believes to be in AWS's cloud.
  const env = { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' }
  execFileSync(process.execPath, ['--input-type=module', '--eval', unpackScript], { cwd: root, env })
  const fonts = join(folder, 'fonts/fonts.conf')
  const place = unpacked.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  writeFileSync(fonts, readFileSync(fonts, 'utf8').replaceAll('/tmp/', `${place}/`))
  try {
    renameSync(folder, unpacked) // whole or not at all
  } catch (error) {
    rmSync(folder, { recursive: true })
    if (!existsSync(unpacked)) throw error // else another run was quicker
  }
}

/** A Chromium of the system, else the one from npm. */
export function findChromium(): string {
  const system = systemPaths.find((path) => existsSync(path))
  if (system !== undefined) return system
  if (!existsSync(unpacked)) unpack()
  return join(unpacked, 'chromium')
}

/** What the browser from npm needs of what came with it: fonts, so that every machine shows text, and the same; libraries where there are none. */
function environment(executablePath: string): Record<string, string> {
  const folder = dirname(executablePath)
  if (folder !== unpacked) return {}
  const starts = spawnSync(executablePath, ['--version']).status === 0
  return {
    FONTCONFIG_FILE: join(folder, 'fonts/fonts.conf'),
    ...(starts ? {} : { LD_LIBRARY_PATH: join(folder, 'al2023/lib') }),
  }
}

/** The package's own arguments would switch off what we want to see at work: the same-origin policy. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { HOME: tmpdir(), ...environment(executablePath) },
  })
