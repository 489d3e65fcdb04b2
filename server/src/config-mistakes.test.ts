import { describe, expect, it } from 'vitest'
import { parseConfig } from './config.ts'

/** The one line of a refusal; `taken` if there is none. */
function refusalOf(settings: Record<string, string>): string {
  try {
    parseConfig(settings)
    return 'taken'
  } catch (error) {
    return (error as Error).message
  }
}

describe('what a shell would have replaced', () => {
  it.each([
    ['PORT', '"8080"'],
    ['DATA_DIR', "'/srv/gatehouse'"],
    ['DATABASE_URL', '"postgres://ada:hunter2@db/g"'],
    ['MAIL_FROM', '"Gatehouse <no-reply@example.com>"'],
    ['PLUGINS', "'announcements'"],
    ['PUBLIC_URL', '`https://users.example.com`'],
  ])('quotes around GATEHOUSE_%s=%s are refused, and the value is not shown', (name, value) => {
    const said = refusalOf({ [`GATEHOUSE_${name}`]: value })
    expect(said).toMatch(new RegExp(`^GATEHOUSE_${name}: .*quotes.*without them`))
    expect(said).not.toContain('hunter2')
  })

  it('quotes may be part of a password, and of a name before an address', () => {
    expect(parseConfig({ GATEHOUSE_ADMIN_PASSWORD: '"swordfish"' }).admin.password).toBe('"swordfish"')
    expect(refusalOf({ GATEHOUSE_MAIL_FROM: '"Gatehouse, Inc" <no-reply@example.com>' })).toBe('taken')
  })

  it.each([
    ['DATA_DIR', '~/data'],
    ['DATA_DIR', '~'],
    ['DATA_DIR', '$HOME/data'],
    ['DATABASE_URL', 'sqlite:~/gatehouse.db'],
    ['STORAGE_URL', 'file:$HOME/avatars'],
    ['BREACHED_PASSWORDS', '~/pwned.txt'],
  ])('the ~ or variable of GATEHOUSE_%s=%s is refused: it would be the name of a folder', (name, value) => {
    expect(refusalOf({ [`GATEHOUSE_${name}`]: value })).toMatch(new RegExp(`^GATEHOUSE_${name}: .*whole path`))
  })

  it('a folder may have these characters further on', () => {
    expect(refusalOf({ GATEHOUSE_DATA_DIR: '/srv/a~b/$c' })).toBe('taken')
  })
})

it.each([
  ['DATABASE_URL', 'sqlite://data/g.db', 'sqlite:data/g.db'],
  ['DATABASE_URL', 'sqlite:./g.db?mode=rwc', 'no parameters'],
  ['STORAGE_URL', 'file://avatars', 'file:avatars'],
  ['HOST', '*', '0.0.0.0'],
  ['MAIL_URL', 'smtp://ada:hunter#2@mail.test', '%23'],
  ['MAIL_URL', 'smtp://ada:hunter/2@mail.test', '%2F'],
])('GATEHOUSE_%s=%s is refused with what would be right', (name, value, right) => {
  const said = refusalOf({ [`GATEHOUSE_${name}`]: value, GATEHOUSE_PUBLIC_URL: 'https://users.example.com' })
  expect(said).toMatch(new RegExp(`^GATEHOUSE_${name}: `))
  expect(said).toContain(right)
  expect(said).not.toContain('hunter')
})

it('a carriage return at the end, from a file of Windows, is no part of a value, and refused in a password', () => {
  expect(parseConfig({ GATEHOUSE_PORT: '8081\r', GATEHOUSE_ADMIN_EMAIL: 'ada@example.com\r' })).toMatchObject({
    port: 8081,
    admin: { email: 'ada@example.com' },
  })
  const said = refusalOf({ GATEHOUSE_ADMIN_PASSWORD: 'swordfish\r' })
  expect(said).toMatch(/^GATEHOUSE_ADMIN_PASSWORD: (?!.*swordfish).*line ends of Windows/)
})

it('a name in small letters is refused', () => {
  expect(refusalOf({ gatehouse_port: '8081' })).toMatch(/^gatehouse_port: there is no such setting.*GATEHOUSE_PORT/)
})
