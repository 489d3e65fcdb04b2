import { crc32, createDeflate } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

/** Pictures and what pretends to be one. They are made here: nothing is read from outside. */

export type PictureFormat = 'png' | 'jpeg' | 'webp' | 'gif' | 'avif'
export const pictureFormats: readonly PictureFormat[] = ['png', 'jpeg', 'webp', 'gif', 'avif']

type Colour = readonly [red: number, green: number, blue: number]

/** Every pixel as `colourAt` says. */
export function draw(width: number, height: number, colourAt: (x: number, y: number) => Colour): Sharp {
  const pixels = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++) for (const value of colourAt(x, y)) pixels[at++] = value
  }
  return sharp(pixels, { raw: { width, height, channels: 3 } })
}

const red = [220, 30, 30] as const
const green = [30, 200, 30] as const
const blue = [30, 30, 220] as const
const white = [250, 250, 250] as const

/** A corner each in red, green, blue and white, clockwise from the top left: any turn of it shows. */
export const corners = (width: number, height: number): Sharp =>
  draw(width, height, (x, y) => (y < height / 2 ? (x < width / 2 ? red : green) : x < width / 2 ? white : blue))

/** A picture that differs from every other seed's. */
export const pictureOf = (seed: number, format: PictureFormat = 'png', width = 64, height = 48): Promise<Buffer> =>
  draw(width, height, (x, y) => [(x * 7 + seed * 31) % 256, (y * 5 + seed * 57) % 256, (x * y + seed) % 256])
    .toFormat(format, format === 'avif' ? { effort: 0 } : {})
    .toBuffer()

/** A chunk of a PNG (W3C PNG §5.3). */
export function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(data.length + 12)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(type, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, data.length + 8)), data.length + 8)
  return chunk
}

async function deflatedZeros(bytes: number): Promise<Buffer> {
  const deflate = createDeflate()
  const parts: Buffer[] = []
  deflate.on('data', (part: Buffer) => parts.push(part))
  const zeros = Buffer.alloc(1 << 20)
  for (let left = bytes; left > 0; left -= zeros.length) {
    if (!deflate.write(zeros.subarray(0, left))) await new Promise((done) => deflate.once('drain', done))
  }
  deflate.end()
  await new Promise((done) => deflate.once('end', done))
  return Buffer.concat(parts)
}

/** A whole black PNG of one bit per pixel: 30,000 × 30,000 of them are 110 KB in the file and a gigabyte in memory. */
export async function blackPng(width: number, height: number, more: readonly Buffer[] = []): Promise<Buffer> {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = (1 + Math.ceil(width / 8)) * height
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...more,
    pngChunk('IDAT', await deflatedZeros(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Compressed text in a PNG that grows to `bytes`. */
export const textBomb = async (bytes: number): Promise<Buffer> =>
  pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), await deflatedZeros(bytes)]))

export interface Part {
  readonly name: string
  readonly bytes: Buffer | string
  /** Makes the part a file. */
  readonly filename?: string
}

export const boundary = '----gatehouse-test'

/** The body of a form, as a browser writes it. */
export function formOf(parts: readonly Part[]): Buffer {
  const written = parts.flatMap(({ name, bytes, filename }) => [
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`,
    filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`,
    '\r\n\r\n',
    bytes,
    '\r\n',
  ])
  return Buffer.concat([...written, `--${boundary}--\r\n`].map((piece) => Buffer.from(piece)))
}

export const formHeaders = { 'content-type': `multipart/form-data; boundary=${boundary}` }
