import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, parseConfig } from './config.ts'
import { readDotEnv } from './config-files.ts'
import { createInstallation } from './testing/server-process.ts'

/** A file with this text. */
function fileOf(text: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'value')
  writeFileSync(path, text)
  return path
}

const passwordIn = (text: string) => parseConfig({ GATEHOUSE_ADMIN_PASSWORD_FILE: fileOf(text) }).admin.password

describe('a setting with _FILE', () => {
  it('is read from the file, without one line end at its end', () => {
    expect(passwordIn('swordfish')).toBe('swordfish')
    expect(passwordIn('swordfish\n')).toBe('swordfish')
    expect(passwordIn('swordfish\r\n')).toBe('swordfish')
    expect(passwordIn(' swordfish \n\n')).toBe(' swordfish \n')
  })

  it('is read without a byte order mark, and as UTF-8 alone', () => {
    expect(passwordIn('\uFEFFswordfish\n')).toBe('swordfish')
    for (const encoding of ['utf16le', 'latin1'] as const) {
      const path = fileOf(Buffer.from('\uFEFFschön', encoding))
      expect(() => parseConfig({ GATEHOUSE_ADMIN_PASSWORD_FILE: path })).toThrow(
        `GATEHOUSE_ADMIN_PASSWORD_FILE: ${path} is not UTF-8. Store it as UTF-8.`,
      )
    }
  })

  it('is there for every setting; spaces and line ends around it are ignored', () => {
    const settings = { HOST: '::1', PORT: '99', PLUGINS: '', RATE_LIMIT: 'off', DATABASE_URL: 'postgres://u:p@db/g' }
    const files = Object.entries(settings).map(([name, value]) => [`GATEHOUSE_${name}_FILE`, fileOf(` ${value} \n\n`)])
    expect(parseConfig(Object.fromEntries(files))).toMatchObject({
      host: '::1',
      port: 99,
      plugins: [],
      rateLimit: null,
      database: { kind: 'postgres', url: 'postgres://u:p@db/g' },
    })
  })

  it('is refused beside the setting itself; an empty one is none', () => {
    const path = fileOf('8081')
    expect(() => parseConfig({ GATEHOUSE_PORT: '8080', GATEHOUSE_PORT_FILE: path })).toThrow(
      'GATEHOUSE_PORT: GATEHOUSE_PORT_FILE is set, too. Set one of them.',
    )
    expect(parseConfig({ GATEHOUSE_PORT: '8080', GATEHOUSE_PORT_FILE: '' }).port).toBe(8080)
    expect(parseConfig({ GATEHOUSE_PORT: '', GATEHOUSE_PORT_FILE: path }).port).toBe(8081)
  })

  it('is refused with its name where the file cannot be read, and where there is no such setting', () => {
    expect(() => parseConfig({ GATEHOUSE_SECRET_KEY_FILE: '/nowhere/key' })).toThrow(
      'GATEHOUSE_SECRET_KEY_FILE: /nowhere/key cannot be read (ENOENT). Name a file that this user may read.',
    )
    expect(() => parseConfig({ GATEHOUSE_PROT_FILE: '/nowhere' })).toThrow(
      'GATEHOUSE_PROT_FILE: there is no such setting.',
    )
  })

  it('is refused where the file is empty, except for plugins, which can be none', () => {
    for (const text of ['', '\n', '  \n']) {
      expect(() => parseConfig({ GATEHOUSE_DATABASE_URL_FILE: fileOf(text) })).toThrow(
        /^GATEHOUSE_DATABASE_URL_FILE: .+ is empty\. Write the value into it, or leave the setting out\.$/,
      )
      expect(parseConfig({ GATEHOUSE_PLUGINS_FILE: fileOf(text) }).plugins).toEqual([])
    }
  })

  it('does not show what is in the file when that is wrong', () => {
    const path = fileOf('mysql://root:hunter2@db\n')
    expect(() => parseConfig({ GATEHOUSE_DATABASE_URL_FILE: path })).toThrow(
      /^GATEHOUSE_DATABASE_URL: (?!.*hunter2).*postgres:\/\//,
    )
  })
})

describe('.env', () => {
  it('may begin with a byte order mark, and have comments, quotes, several lines in quotes, and CRLF', () => {
    const text = `\uFEFFFIRST=1\r\n\r\n# a "comment\r\n  export SECOND = two words # so\r\nKEY="a\nb\n"\nLAST='x=y'\nNONE=`
    expect(readDotEnv(fileOf(text))).toEqual({
      FIRST: '1',
      SECOND: 'two words',
      KEY: 'a\nb\n',
      LAST: 'x=y',
      NONE: '',
    })
    expect(readDotEnv('/nowhere/.env')).toEqual({})
  })

  it.each([
    ['A=1\nGATEHOUSE_SECRET_KEY hunter2\nB=2', 2],
    ['KEY="a\nb"\n\nGATEHOUSE_PORT: 8080', 4],
    ['=hunter2', 1],
    ['A=1\n-----BEGIN hunter2-----', 2],
    ['two words=1', 1],
  ])('is refused with the line that is no assignment, which is not shown: %j', (text, line) => {
    expect(() => readDotEnv(fileOf(text))).toThrow(
      new ConfigError(`.env: line ${line} is no assignment. Write NAME=value, or # before a comment.`),
    )
  })

  it.each([
    ['A=1\nGATEHOUSE_ADMIN_PASSWORD=correct#hunter2', 2],
    ['A="x\ny#z" # so\n\nGATEHOUSE_ADMIN_PASSWORD=#hunter2', 4],
    ['export GATEHOUSE_MAIL_FROM = two words#hunter2 # so', 1],
  ])('is refused with the line whose value would be cut at a #, and is not shown: %j', (text, line) => {
    expect(() => readDotEnv(fileOf(text))).toThrow(
      new ConfigError(`.env: line ${line} is cut at its #. Write the value in quotes, or a space before a comment.`),
    )
  })

  it('may have a # in quotes, in a comment, and in what others read', () => {
    const text = `GATEHOUSE_A='b#c' # d#e\nGATEHOUSE_B= # none\nGATEHOUSE_C=x # y#z\n# GATEHOUSE_D=e#f\nE=f#g`
    expect(readDotEnv(fileOf(text))).toEqual({ GATEHOUSE_A: 'b#c', GATEHOUSE_B: '', GATEHOUSE_C: 'x', E: 'f' })
  })

  it('is refused where it is not UTF-8', () => {
    const path = fileOf(Buffer.from('\uFEFFGATEHOUSE_PORT=99\n', 'utf16le'))
    expect(() => readDotEnv(path)).toThrow('.env: it is not UTF-8. Store it as UTF-8.')
  })
})

it('reads .env of the working folder; the environment overrides it', async () => {
  const place = await createInstallation(null)
  onTestFinished(place.remove)
  writeFileSync(join(place.folder, '.env'), 'GATEHOUSE_PORT=from-the-file\nGATEHOUSE_LOG_LEVEL=loud # comment\n')
  const fromFile = await place.run(['migrate'])
  expect(fromFile.stderr).toContain('"from-the-file" is not a port')
  const fromBoth = await place.run(['migrate'], { settings: { GATEHOUSE_PORT: '8080' } })
  expect(fromBoth.stderr).toContain('"loud" is not a level')
  const over = await place.run(['migrate'], { settings: { GATEHOUSE_PORT: '8080', GATEHOUSE_LOG_LEVEL: 'info' } })
  expect(over).toEqual({ code: 0, stdout: 'The database is up to date.\n', stderr: '' })
})
