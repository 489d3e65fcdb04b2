import { randomBytes } from 'node:crypto'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { createInstallation } from '../testing/server-process.ts'

const key = () => randomBytes(32).toString('base64url')

// asvs: 13.3.2
it('the secret key is created once, readable only by its owner; a node without it, or with another, is refused', async () => {
  const place = await createInstallation(inject('postgresUrl'))
  onTestFinished(place.remove)
  const migrate = (settings: Record<string, string> = {}) => place.run(['migrate'], { settings })
  expect((await migrate()).code).toBe(0)
  const file = join(place.folder, 'data/secret-key')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await migrate()).code).toBe(0)
  const other = await migrate({ GATEHOUSE_SECRET_KEY: key() })
  expect([other.code, other.stderr]).toEqual([
    1,
    expect.stringMatching(/^gatehouse: GATEHOUSE_SECRET_KEY: .*another secret key\. Bring back /),
  ])
  rmSync(file)
  const missing = await migrate()
  expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('another secret key')])
  expect(() => statSync(file)).toThrow()
})

it.each(['', 'short', 'A'.repeat(43), 'not base64url '.repeat(4)])(
  'GATEHOUSE_SECRET_KEY=%j is not a key',
  async (given) => {
    const { parseConfig } = await import('../config.ts')
    if (given === '') expect(parseConfig({ GATEHOUSE_SECRET_KEY: given }).secretKey).toBeNull()
    else
      expect(() => parseConfig({ GATEHOUSE_SECRET_KEY: given })).toThrow(/^GATEHOUSE_SECRET_KEY: write 32 random bytes/)
  },
)
