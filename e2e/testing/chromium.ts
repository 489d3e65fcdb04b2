import { existsSync } from 'node:fs'
import bundled from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

const systemPaths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** A Chromium of the system, else the one from npm, which unpacks itself. Call it once: two at a time would unpack over each other. */
export const findChromium = async (): Promise<string> =>
  systemPaths.find((path) => existsSync(path)) ?? (await bundled.executablePath())

/** The package's own arguments would switch off what we want to see at work: the same-origin policy. */
export const launch = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-dev-shm-usage'] })
