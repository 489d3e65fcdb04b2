import { once } from 'node:events'
import { accessSync, constants, existsSync, lstatSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { type Config, socketPathOf } from '../../config.ts'
import { findOpenMode } from '../../core/private-folder.ts'
import { reasonOf } from '../../db/failures.ts'
import { broken, type Finding, ok, warning } from './check.ts'

/** Whether the service can listen there. Its port may be taken: by the service itself. */
export async function checkListening({ host, port }: Config): Promise<Finding> {
  const check = 'address'
  const path = socketPathOf(host)
  const advice = 'Name another place in GATEHOUSE_HOST.'
  if (path !== undefined) {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found !== undefined && !found.isSocket()) return broken(check, `${path} is not a socket`, advice)
    return canWriteTo(dirname(path))
      ? ok(check, path)
      : broken(check, `no socket can be made in ${dirname(path)}`, advice)
  }
  const server = createServer().listen(0, host)
  try {
    await once(server, 'listening')
    return ok(check, `port ${port} of ${host}`)
  } catch (error) {
    return broken(check, `this machine has no address ${host} (${reasonOf(error)})`, 'Correct GATEHOUSE_HOST.')
  } finally {
    server.close()
  }
}

const megabyte = 1024 * 1024
const fewMegabytes = 1024
const tooFewMegabytes = 100
/** Before it, the clock is wrong: this program did not exist. */
const madeAt = Date.parse('2026-01-01T00:00:00Z')

export const checkProgram = (version: string): Finding => ok('program', `Gatehouse ${version}, Node ${process.version}`)

export function checkClock(): Finding[] {
  if (Date.now() >= madeAt) return []
  const found = `says ${new Date().toISOString()}`
  return [broken('clock', found, 'Set the clock: codes of authenticator apps and links depend on it.')]
}

/** The folder itself, or the nearest one above it that exists. */
const existing = (path: string): string => (existsSync(path) ? path : existing(dirname(path)))

function canWriteTo(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

/** A folder that the service writes to. It may be missing, as long as it can be created. */
export function checkFolder(check: string, path: string, setting: string): Finding {
  const found = existing(path)
  if (!canWriteTo(found))
    return broken(check, `${found} cannot be written to`, `Give this user the folder, or name another in ${setting}.`)
  return ok(check, found === path ? path : `${path} does not exist: it is created`)
}

export function checkDataFolder({ dataDir }: Config): Finding {
  const check = 'data folder'
  const finding = checkFolder(check, dataDir, 'GATEHOUSE_DATA_DIR')
  if (finding.state === 'broken') return finding
  const mode = findOpenMode(dataDir)
  if (mode === undefined) return finding
  return warning(check, `${dataDir} has mode ${mode}: others may enter it`, 'chmod 700 keeps them out.')
}

export function checkDisk({ dataDir }: Config): Finding {
  const folder = existing(dataDir)
  const { bavail, bsize } = statfsSync(folder)
  const free = Math.floor((bavail * bsize) / megabyte)
  const found = `${free} MiB free at ${folder}`
  if (free < tooFewMegabytes) return broken('disk', found, 'Free space: with a full disk, nothing can be written.')
  return free < fewMegabytes ? warning('disk', found, 'Free space soon.') : ok('disk', found)
}

export function checkAddress({ publicUrl, host, trustProxy }: Config): Finding {
  const check = 'public URL'
  const { protocol, hostname } = new URL(publicUrl)
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('127.')
  if (protocol === 'http:' && !isLocal)
    return warning(
      check,
      `${publicUrl} is not https`,
      'Put a proxy with TLS in front, and set GATEHOUSE_PUBLIC_URL to https://.',
    )
  if (protocol === 'https:' && trustProxy.length === 0)
    return warning(
      check,
      `${publicUrl}, but no proxy is trusted: limits and logs see its address only`,
      `Set GATEHOUSE_TRUST_PROXY to the proxy's address (${host.startsWith('unix:') ? 'unix' : 'for example 127.0.0.1'}).`,
    )
  return ok(check, publicUrl)
}
