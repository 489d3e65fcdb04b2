import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Answer, startTestApp, type TestApp } from './app.ts'
import { formHeaders, formOf } from './images.ts'

export interface AvatarApp extends TestApp {
  readonly folder: string
  /** Uploads a file as the form's field `file`, to `/users/{id}/avatar` or to another path. */
  readonly upload: (to: number | string, bytes: Buffer, key?: string) => Promise<Answer>
  /** The names of all stored files, in all folders. */
  readonly stored: () => string[]
  /** What a public address answers, as bytes. */
  readonly fetch: (url: string, method?: 'GET' | 'HEAD') => Promise<Picture>
}

export interface Picture {
  readonly status: number
  readonly bytes: Buffer
  readonly headers: Record<string, unknown>
}

/** The whole server with a storage folder of its own. */
export async function startAvatarApp(postgresUrl: string | null): Promise<AvatarApp> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-avatars-'))
  const t = await startTestApp(postgresUrl, { GATEHOUSE_STORAGE_URL: `file:${folder}` })
  const close = async () => {
    await t.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const upload: AvatarApp['upload'] = (to, bytes, key = t.adminKey) =>
    t.call(`POST ${typeof to === 'number' ? `/users/${to}/avatar` : to}`, {
      key,
      headers: formHeaders,
      body: formOf([{ name: 'file', bytes, filename: '../../evil.php' }]),
    })
  const stored = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name)
      .sort()
  const fetch: AvatarApp['fetch'] = async (url, method = 'GET') => {
    const { statusCode, rawPayload, headers } = await t.app.inject({ method, url: new URL(url).pathname })
    return { status: statusCode, bytes: rawPayload, headers }
  }
  return { ...t, close, folder, upload, stored, fetch }
}
