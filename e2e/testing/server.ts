import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Client, createClient } from '@gatehouse/client'
import { freePort } from '@gatehouse/plugin-kit/testing'
import Sqlite from 'better-sqlite3'

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
  /** Keeps a copy of its data, which takes some milliseconds. */
  readonly keep: () => Promise<void>
  /** Starts it again with the data that were kept. */
  readonly rewind: () => Promise<void>
  readonly stop: () => Promise<void>
}

const admin = { email: 'admin@example.com', password: 'correct horse battery staple' }
const apiKey = `gh_${createHash('sha256').update('the key of the browser tests').digest('base64url')}`

const remove = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Starts the real program in a folder, with mail and SMS captured, and waits until it is ready. Removes the folder if the start fails. */
async function run(folder: string, port: number, settings: Record<string, string> = {}): Promise<() => Promise<void>> {
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
  const end = async () => {
    child.kill('SIGTERM')
    await ended
  }
  await ready.catch(async (error) => {
    await end()
    remove(folder)
    throw error
  })
  return end
}

/** What a first start leaves in a folder, for the services of many tests: a copy starts in half the time. */
export async function createInstallation(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-first-'))
  const end = await run(folder, await freePort())
  await end()
  return folder
}

/** Copies the data of a service that goes on running. */
async function copyData(from: string, to: string): Promise<void> {
  const database = join(from, 'gatehouse.db')
  remove(to)
  cpSync(from, to, { recursive: true, filter: (path) => !path.startsWith(database) })
  const db = new Sqlite(database, { readonly: true })
  await db.backup(join(to, 'gatehouse.db'), { progress: () => 1_000_000 }) // all pages in one step
  db.close()
}

/** The real program in a folder of its own, which begins as a copy of the installation, else empty. */
export async function startServer(
  settings: Record<string, string> = {},
  installation?: string,
): Promise<RunningServer> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-e2e-'))
  if (installation !== undefined) cpSync(installation, folder, { recursive: true })
  const kept = `${folder}-kept`
  const port = await freePort()
  const url = `http://localhost:${port}`
  let end = await run(folder, port, settings)
  const rewind = async () => {
    await end()
    remove(folder)
    cpSync(kept, folder, { recursive: true })
    end = await run(folder, port, settings)
  }
  const stop = async () => {
    await end()
    for (const path of [folder, kept]) remove(path)
  }
  const api = createClient({ baseUrl: `${url}/api`, apiKey })
  return { url, api, admin, folder, keep: () => copyData(folder, kept), rewind, stop }
}
