import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A Chromium of the system, else the one from npm, which unpacks itself. Call it once: two at a time would unpack over each other. */
export const findChromium = async (): Promise<string> =>
  systemPaths.find((path) => existsSync(path)) ?? (await bundled.executablePath())

/** Comes with the browser from npm: a machine without any fonts shows text, and every machine the same. */
const fonts = join(tmpdir(), 'fonts/fonts.conf')

/** The package's own arguments would switch off what we want to see at work: the same-origin policy. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none'],
    env: { HOME: tmpdir(), ...(existsSync(fonts) ? { FONTCONFIG_FILE: fonts } : {}) },
  })
