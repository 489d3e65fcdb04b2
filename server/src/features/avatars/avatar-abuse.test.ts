import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type AvatarApp, startAvatarApp } from '../../testing/avatars.ts'
import { blackPng, corners, pictureFormats, pictureOf, pngChunk, textBomb } from '../../testing/images.ts'
import { processorMs } from '../../testing/processor-time.ts'

let t: AvatarApp
let before: string[]
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
  await t.upload(1, await pictureOf(1))
  before = t.stored()
})
afterAll(() => t.close())

/** The file is refused with this code and a reason at `file`; the old picture stays and nothing else is stored. */
async function expectRefusal(bytes: Buffer, code: string): Promise<void> {
  const { status, body } = await t.upload(1, bytes)
  expect([status, body.code]).toEqual([422, code])
  expect(body.errors).toEqual({ file: [expect.stringMatching(/picture/)] })
  expect((await t.call('GET /users/1')).body.data.avatar).toContain(before[1])
  expect(t.stored()).toEqual(before)
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

// asvs: 1.3.4, 5.2.2
describe('images by content: refused with the reason', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>'
  const strangers: Record<string, Buffer> = {
    'an SVG': latin1(svg),
    'an SVG with an XML declaration': latin1(`<?xml version="1.0"?>${svg}`),
    'an SVG in gzip': Buffer.from('1f8b080000000000', 'hex'),
    HTML: latin1('<!doctype html><script>alert(1)</script>'),
    'a PDF': latin1('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF'),
    PostScript: latin1('%!PS-Adobe-3.0\n(/etc/passwd) (r) file'),
    'an ImageMagick script': latin1('push graphic-context\nfill url(https://a.example/)'),
    'a BMP': Buffer.concat([latin1('BM'), Buffer.alloc(60)]),
    'an icon': Buffer.from('00000100010010100000010020006804000016000000', 'hex'),
    'a PPM': latin1('P6 1 1 255 abc'),
    'a libvips file': Buffer.concat([Buffer.from('b6a6f208', 'hex'), Buffer.alloc(60)]),
    'a HEIC': Buffer.concat([Buffer.from([0, 0, 0, 24]), latin1('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(64)]),
    'an MP4': Buffer.concat([Buffer.from([0, 0, 0, 24]), latin1('ftypisom\0\0\0\0isommp42'), Buffer.alloc(64)]),
    'a WAV': latin1('RIFF\x24\0\0\0WAVEfmt '),
    'a ZIP': latin1('PK\x03\x04aaaaaaaaaaaaaaaa'),
    'one byte': Buffer.from([0x89]),
    'random bytes': deflateSync(Buffer.alloc(3000, 'x')),
    'a PNG after a line break': latin1('\n\x89PNG\r\n\x1a\n'),
  }
  it.each(Object.keys(strangers))('%s', (name) => expectRefusal(strangers[name] as Buffer, 'avatar_not_a_picture'))

  it('a TIFF', async () => expectRefusal(await corners(9, 9).tiff().toBuffer(), 'avatar_not_a_picture'))

  const signatures: Record<string, Buffer> = {
    PNG: Buffer.from('89504e470d0a1a0a', 'hex'),
    JPEG: Buffer.from('ffd8ffe0', 'hex'),
    GIF: latin1('GIF89a'),
    WebP: latin1('RIFF\xff\0\0\0WEBPVP8 '),
    AVIF: Buffer.concat([Buffer.from([0, 0, 0, 24]), latin1('ftypavif\0\0\0\0mif1avif')]),
  }
  it.each(Object.keys(signatures))('%s by its first bytes alone: HTML, SVG and zeros behind them', async (name) => {
    for (const rest of [latin1('<html><script>alert(1)</script>'), latin1(svg), Buffer.alloc(500)]) {
      await expectRefusal(Buffer.concat([signatures[name] as Buffer, rest]), 'avatar_unreadable')
    }
  })

  it('a GIF that is JavaScript as well', () =>
    expectRefusal(latin1('GIF89a/*\0\0\0\0*/=1;alert(document.domain)//'), 'avatar_unreadable'))

  it.each(pictureFormats)('a truncated %s, wherever it is cut', async (format) => {
    const portrait = await sharp(await pictureOf(9, 'png', 120, 360))
      .toFormat(format)
      .toBuffer()
    for (const part of [0.02, 0.3, 0.6, 0.9]) {
      await expectRefusal(portrait.subarray(0, Math.ceil(portrait.length * part)), 'avatar_unreadable')
    }
  })

  it('a PNG with a wrong checksum', async () => {
    const png = await pictureOf(10)
    const at = png.indexOf('IDAT') + 20
    png[at] = (png[at] as number) ^ 0xff
    await expectRefusal(png, 'avatar_unreadable')
  })
})

describe('polyglots are harmless: no byte of the file is served', () => {
  const payload = '<script>alert("canary")</script>'

  it.each(pictureFormats)('%s with HTML behind it', async (format) => {
    const { user } = await t.createUser()
    const { status, body } = await t.upload(user.id, Buffer.concat([await pictureOf(11, format), latin1(payload)]))
    if (status === 422) return expect(body.errors.file).toHaveLength(1)
    expect(status).toBe(200)
    const { bytes } = await t.fetch(body.data.avatar)
    expect(bytes.includes('canary')).toBe(false)
    expect((await sharp(bytes).metadata()).format).toBe('webp')
  })

  it('HTML within a PNG, in text and in a chunk of its own', async () => {
    const { user } = await t.createUser()
    const chunks = [pngChunk('tEXt', latin1(`Comment\0${payload}`)), pngChunk('prVt', latin1(payload))]
    const { status, body } = await t.upload(user.id, await blackPng(32, 32, chunks))
    expect(status).toBe(200)
    expect((await t.fetch(body.data.avatar)).bytes.includes('canary')).toBe(false)
  })
})

// asvs: 5.2.3
describe('pixels are capped before decoding', () => {
  /** The cost of a refusal: milliseconds of processor time, and the peak of memory in bytes. */
  async function costOf(bytes: Buffer, code: string): Promise<{ ms: number; megabytes: number }> {
    await t.upload(1, Buffer.from('x')) // load everything that is loaded only once
    const start = process.memoryUsage().rss
    let highest = start
    const watch = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss)
    }, 1)
    const ms = await processorMs(async () => {
      const { status, body } = await t.upload(1, bytes)
      expect([status, body.code]).toEqual([422, code])
    })
    clearInterval(watch)
    highest = Math.max(highest, process.memoryUsage().rss)
    return { ms, megabytes: (highest - start) / 1e6 }
  }

  it('a 30,000 × 30,000 PNG, whole and valid, in < 200 ms and < 50 MB', async () => {
    const bomb = await blackPng(30_000, 30_000)
    await costOf(bomb, 'avatar_too_many_pixels')
    const { ms, megabytes } = await costOf(bomb, 'avatar_too_many_pixels')
    console.info(`30,000 x 30,000 PNG (${bomb.length} bytes) refused: ${ms.toFixed(1)} ms, ${megabytes.toFixed(1)} MB`)
    expect(ms).toBeLessThan(200)
    expect(megabytes).toBeLessThan(50)
  })

  it('a GIF that claims 65,535 × 65,535', async () => {
    const gif = await pictureOf(12, 'gif')
    const frame = gif.lastIndexOf(Buffer.from([0x2c, 0, 0, 0, 0]))
    for (const at of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(65_535, at)
    expect((await costOf(gif, 'avatar_too_many_pixels')).megabytes).toBeLessThan(50)
  })

  it('a JPEG that claims 65,500 × 65,500', async () => {
    const jpeg = await pictureOf(13, 'jpeg')
    const frame = jpeg.findIndex((byte, at) => byte === 0xff && [0xc0, 0xc2].includes(jpeg[at + 1] as number))
    jpeg.writeUInt16BE(65_500, frame + 5)
    jpeg.writeUInt16BE(65_500, frame + 7)
    expect((await costOf(jpeg, 'avatar_too_many_pixels')).megabytes).toBeLessThan(50)
  })

  it('an AVIF whose header claims less than its picture has', async () => {
    const avif = await pictureOf(14, 'avif', 2000, 2000)
    const claim = avif.indexOf('ispe') + 8
    avif.writeUInt32BE(100, claim)
    avif.writeUInt32BE(100, claim + 4)
    expect((await costOf(avif, 'avatar_unreadable')).megabytes).toBeLessThan(50)
  })

  it('one row of pixels more than 40 megapixels, but not 40 megapixels', async () => {
    const { user } = await t.createUser()
    expect((await t.upload(user.id, await blackPng(8000, 5001))).body.code).toBe('avatar_too_many_pixels')
    expect((await t.upload(user.id, await blackPng(8000, 5000))).status).toBe(200)
  })

  it('text that grows to 200 MB costs less than 50 MB', async () => {
    const { user } = await t.createUser()
    const png = await blackPng(32, 32, [await textBomb(200_000_000)])
    await t.upload(user.id, png)
    const start = process.memoryUsage().rss
    expect([200, 422]).toContain((await t.upload(user.id, png)).status)
    expect((process.memoryUsage().rss - start) / 1e6).toBeLessThan(50)
  })
})
