import { createHash } from 'node:crypto'
import { createReadStream, existsSync, type ReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { names, partsOf } from './accept.ts'

interface Variant {
  readonly bytes: number
  readonly open: () => Buffer | ReadStream
}

/** A file that is served unchanged. All files are known in advance: a request never names a path on the disk. */
export interface Asset {
  readonly type: string
  readonly etag: string
  /** By content encoding; `identity` is the file itself. */
  readonly variants: ReadonlyMap<string, Variant>
  readonly readText: () => string
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

const encodings = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

export const assetHeaders = {
  /** For names that contain a hash of the content. */
  immutable: 'public, max-age=31536000, immutable',
  /** For fixed names: cached, but revalidated each time. */
  revalidated: 'public, max-age=0, must-revalidate',
}

const typeOf = (path: string): string | undefined => types[extname(path)]

/** Vite puts a hash of the content into every file name, except those of the kit, which plugins import by a fixed address. */
export const isHashed = (name: string): boolean => /-[\w-]{8}\.\w+$/.test(name)

/** A file whose name stays may be replaced by another build while this one is served, so its content is kept. */
function readVariant(path: string, isUnchanging: boolean): Variant {
  if (isUnchanging) return { bytes: statSync(path).size, open: () => createReadStream(path) }
  const content = readFileSync(path)
  return { bytes: content.length, open: () => content }
}

/** A file and its compressed variants: `x.js`, `x.js.br`, `x.js.gz`. */
export function readAsset(path: string): Asset {
  const files = [['identity', path] as const, ...encodings.map(([name, ending]) => [name, path + ending] as const)]
  const variants = files.filter(([, file]) => existsSync(file))
  return {
    type: typeOf(path) ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`,
    variants: new Map(variants.map(([name, file]) => [name, readVariant(file, isHashed(path))])),
    readText: () => readFileSync(path, 'utf8'),
  }
}

/** Every file below a folder whose type is known, by its relative path. */
export function readAssets(dir: string): Map<string, Asset> {
  const paths = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((path) => typeOf(path) !== undefined)
  return new Map(paths.map((path) => [path.split(sep).join('/'), readAsset(join(dir, path))]))
}

/** True if `If-None-Match` names the file (RFC 9110 §13.1.2). A proxy may have made the tag weak. */
const isKnown = (header: string, etag: string): boolean =>
  partsOf(header, ',').some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)

/** Answers with a file, compressed if the caller accepts that, or with 304 if they have it. */
export function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset, caching: string): FastifyReply {
  const wanted = request.headers['accept-encoding']
  const encoding = encodings.map(([name]) => name).find((name) => asset.variants.has(name) && names(wanted, name))
  const variant = asset.variants.get(encoding ?? 'identity') as Variant
  const etag = encoding === undefined ? asset.etag : asset.etag.replace(/"$/, `-${encoding}"`)
  reply.headers({ 'cache-control': caching, vary: 'accept-encoding', etag })
  if (isKnown(request.headers['if-none-match'] ?? '', etag)) return reply.status(304).send()
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.type(asset.type).header('content-length', variant.bytes).send(variant.open())
}
