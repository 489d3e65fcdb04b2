import { createHash } from 'node:crypto'
import type Sharp from 'sharp'
import type { Channels, Metadata, SharpOptions } from 'sharp'
import { busyFor } from '../../core/errors.ts'
import { createFairQueue } from '../../core/fair-queue.ts'
import { onceResolved } from '../../core/once-resolved.ts'
import { type AvatarSize, avatarSizes } from './avatar-url.ts'
import { refuseFile } from './avatars.errors.ts'
import { formatOf } from './picture-format.ts'

const maxPixels = 40_000_000
const maxDecodeSeconds = 15
const [largeSize] = avatarSizes

/** Loaded with the first picture, because it takes 18 MB that an idle service can save. */
const loadSharp = onceResolved(async (): Promise<typeof Sharp> => {
  const { default: sharp } = await import('sharp')
  // Five decoders, from memory only. Everything else that libvips could open (SVG, PDF, TIFF, files by name) is blocked.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Heif'].map((decoder) => `VipsForeignLoad${decoder}Buffer`),
  })
  sharp.cache(false)
  sharp.concurrency(1)
  return sharp
})

const options: SharpOptions = { limitInputPixels: maxPixels, failOn: 'truncated' }

/**
 * An AVIF of 40 megapixels takes 750 MB and seconds to decode, so one picture is processed at a time. In the short queue, users
 * take turns.
 */
const inTurn = createFairQueue({ parallel: 1, strangers: 0, familiar: 32 }, () => busyFor(5))

export interface Picture {
  /** SHA-256 of the large square, hexadecimal. */
  readonly key: string
  readonly files: Readonly<Record<AvatarSize, Buffer>>
}

interface Pixels {
  readonly data: Buffer
  readonly channels: Channels
}

/**
 * Makes an avatar from a file that this user uploaded: turned upright, cropped to a centred square, re-encoded as WebP in two sizes.
 * Neither the bytes of the file nor its metadata survive. Throws an error at the field `file` if the picture is not valid.
 */
export async function readPicture(bytes: Buffer, userId: number | null): Promise<Picture> {
  const format = formatOf(bytes)
  if (format === undefined) throw refuseFile('avatar_not_a_picture')
  const metadata = await readMetadata(bytes)
  if (metadata.format !== format || (format === 'heif' && metadata.compression !== 'av1')) {
    throw refuseFile('avatar_not_a_picture')
  }
  if (metadata.width * metadata.height > maxPixels) throw refuseFile('avatar_too_many_pixels')
  return inTurn({ path: [`user ${userId}`], isFamiliar: true }, async () => {
    const pixels = await decode(bytes, metadata).catch(() => undefined)
    if (pixels === undefined) throw refuseFile('avatar_unreadable')
    const files = { 512: await encode(pixels, 512), 128: await encode(pixels, 128) }
    return { key: createHash('sha256').update(files[largeSize]).digest('hex'), files }
  })
}

/** Reads only the header, whatever size it claims. */
async function readMetadata(bytes: Buffer): Promise<Metadata> {
  const sharp = await loadSharp()
  try {
    return await sharp(bytes, { ...options, limitInputPixels: false }).metadata()
  } catch {
    throw refuseFile('avatar_unreadable')
  }
}

async function decode(bytes: Buffer, { format, autoOrient: { width, height } }: Metadata): Promise<Pixels> {
  const sharp = await loadSharp()
  const open = () => sharp(bytes, options).timeout({ seconds: maxDecodeSeconds })
  // These two are decoded line by line. Without a full read, missing lines below the square would go unnoticed.
  if (format === 'png' || format === 'jpeg') await open().resize(64, 64, { fit: 'fill' }).raw().toBuffer()
  const side = Math.min(width, height)
  const square = { left: (width - side) >> 1, top: (height - side) >> 1, width: side, height: side }
  const { data, info } = await open()
    .autoOrient()
    .extract(square)
    .resize(largeSize, largeSize)
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, channels: info.channels }
}

async function encode({ data, channels }: Pixels, size: AvatarSize): Promise<Buffer> {
  const sharp = await loadSharp()
  return sharp(data, { raw: { width: largeSize, height: largeSize, channels } })
    .resize(size, size)
    .webp({ quality: 82 })
    .toBuffer()
}
