import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { ConfigError, parseConfig } from '../../config.ts'
import { createCertificate } from '../../testing/certificates.ts'
import { type PostgresServer, password, startPostgres } from '../../testing/postgres-server.ts'
import { openDatabase } from '../open.ts'

describe.runIf(inject('postgresUrl'))('TLS to PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const other = join(folder, 'other.pem')
  const root = join(folder, 'server.pem')
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  let server: PostgresServer

  beforeAll(async () => {
    const { certificate, key } = await createCertificate(['db.test'], ['127.0.0.1'])
    const keyFile = join(folder, 'server.key')
    writeFileSync(root, certificate)
    writeFileSync(keyFile, key, { mode: 0o600 })
    writeFileSync(other, (await createCertificate(['localhost'], ['127.0.0.1'])).certificate)
    const first = await startPostgres(folder)
    await first.stop()
    const { uid, gid } = statSync(join(folder, 'data')) // PostgreSQL wants its key to be of its user alone
    if (process.getuid?.() === 0) chownSync(keyFile, uid, gid)
    chmodSync(folder, 0o755)
    const files = ['-c', `ssl_cert_file=${root}`, '-c', `ssl_key_file=${keyFile}`]
    server = await startPostgres(folder, ['-c', 'ssl=on', ...files])
    process.on('warning', note)
  })
  afterAll(async () => {
    process.off('warning', note)
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Whether the connection is encrypted, or the reason why there is none. */
  async function connect(host: string, parameters: string): Promise<boolean | string> {
    const url = `postgres://postgres:${password}@${host}:${server.port}/postgres?${parameters}`
    const db = openDatabase({ kind: 'postgres', url }, () => {})
    onTestFinished(() => db.destroy())
    try {
      const { rows } = await sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`.execute(db)
      return rows[0]?.ssl ?? 'unknown'
    } catch (error) {
      return (error as { code?: string }).code ?? String(error)
    }
  }

  const untrusted = 'DEPTH_ZERO_SELF_SIGNED_CERT'
  it.each([
    ['127.0.0.1', '', false],
    ['127.0.0.1', 'sslmode=disable', false],
    ['127.0.0.1', 'sslmode=prefer', true],
    ['127.0.0.1', 'sslmode=require', true],
    ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${root}`, true],
    ['localhost', `sslmode=verify-ca&sslrootcert=${root}`, true], // not the name in the certificate
    ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${other}`, untrusted],
    ['127.0.0.1', `sslmode=require&sslrootcert=${other}`, untrusted], // libpq: as verify-ca where a root is named
    ['127.0.0.1', `sslmode=verify-full&sslrootcert=${root}`, true],
    ['localhost', `sslmode=verify-full&sslrootcert=${root}`, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['127.0.0.1', 'sslmode=verify-full', untrusted],
    ['127.0.0.1', 'sslrootcert=system', untrusted],
  ])('%s?%s: %s', async (host, parameters, expected) => {
    expect(await connect(host, parameters)).toBe(expected)
    expect(warnings).toEqual([])
  })
})

describe('an address whose TLS cannot work', () => {
  const parse = (parameters: string) => () =>
    parseConfig({ GATEHOUSE_DATABASE_URL: `postgres://user:secret@db.test/gatehouse?${parameters}` })

  it.each([
    ['sslmode=no-verify', 'sslmode can be disable, prefer, require, verify-ca, verify-full'],
    ['sslmode=verify-ca', 'sslmode=verify-ca needs sslrootcert=/path/ca.pem'],
    ['sslmode=verify-full&sslrootcert=/nowhere/ca.pem', 'sslrootcert: /nowhere/ca.pem cannot be read'],
  ])('%s is refused with the reason', (parameters, reason) => {
    expect(parse(parameters)).toThrow(ConfigError)
    expect(parse(parameters)).toThrow(`(${reason})`)
    expect(parse(parameters)).not.toThrow('secret')
  })
})
