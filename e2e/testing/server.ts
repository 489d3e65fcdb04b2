import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Client, createClient } from '@gatehouse/client'
import { freePort } from '@gatehouse/plugin-kit/testing'

const main = resolve(import.meta.dirname, '../../server/bin/gatehouse.js')
const startTimeoutMs = 60_000

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string
  /** The API as the first administrator, by API key. */
  readonly api: Client
  readonly admin: { readonly email: string; readonly password: string }
  /** Where its data is. */
  readonly folder: string
  readonly stop: () => Promise<void>
}

/** The real program in a folder of its own, with mail and SMS captured, on a free port. */
export async function startServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'))
  const port = await freePort()
  const url = `http://localhost:${port}`
  const admin = { email: 'admin@example.com', password: 'correct horse battery staple' }
  const apiKey = `gh_${randomBytes(32).toString('base64url')}`
  const env = {
    GATEHOUSE_PORT: String(port),
    GATEHOUSE_DATA_DIR: folder,
    GATEHOUSE_LOG_LEVEL: 'error',
    GATEHOUSE_RATE_LIMIT: 'off',
    GATEHOUSE_SMS_BUDGET: 'off',
    GATEHOUSE_ADMIN_EMAIL: admin.email,
    GATEHOUSE_ADMIN_PASSWORD: admin.password,
    GATEHOUSE_ADMIN_API_KEY: apiKey,
    ...settings,
  }
  const child = spawn(process.execPath, [main, 'start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((done) => child.on('close', () => done()))
  let said = ''
  const ready = new Promise<void>((done, fail) => {
    const late = setTimeout(() => fail(new Error(`the server did not start:\n${said}`)), startTimeoutMs)
    const hear = (chunk: Buffer) => {
      said += chunk
      if (!said.includes('is ready')) return
      clearTimeout(late)
      done()
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    ended.then(() => fail(new Error(`the server ended:\n${said}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  await ready.catch(async (error) => {
    await stop()
    throw error
  })
  return { url, api: createClient({ baseUrl: `${url}/api`, apiKey }), admin, folder, stop }
}
