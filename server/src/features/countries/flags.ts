import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config } from '../../config.ts'
import { type Country, countries } from './countries.data.ts'

/** The pictures of the package `flag-icons` (MIT), 4 by 3. */
const folder = dirname(createRequire(import.meta.url).resolve('flag-icons/flags/4x3/fr.svg'))
const { version } = JSON.parse(readFileSync(join(folder, '../../package.json'), 'utf8')) as { version: string }

/** The name contains the version of the pictures, so the content of an address never changes. */
const nameOf = ({ iso_3166_2 }: Country): string => `${iso_3166_2.toLowerCase()}-${version}.svg`
const files = new Map(countries.map((country) => [nameOf(country), `${country.iso_3166_2.toLowerCase()}.svg`]))

/** A flag's SVG by the last part of its address; undefined if there is none. */
export function findFlag(name: string): Promise<Buffer> | undefined {
  const file = files.get(name)
  return file === undefined ? undefined : readFile(join(folder, file))
}

/** A country as answers show it, with the address of its flag. */
export const withFlag = (country: Country, { publicUrl }: Config): Country & { flag: string } => ({
  ...country,
  flag: `${publicUrl}/flags/${nameOf(country)}`,
})
