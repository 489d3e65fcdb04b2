import { statSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type AvatarApp, startAvatarApp } from '../../testing/avatars.ts'
import { corners, draw, pictureFormats, pictureOf } from '../../testing/images.ts'

let t: AvatarApp
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const newUser = async () => (await t.createUser()).user.id

/** sharp's own types do not know it yet. */
type HdrSharp = Sharp & { withGainMap(): Sharp }

const pixelsOf = async (bytes: Buffer) => {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return (x: number, y: number) => [...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3)]
}

const colourName = ([r = 0, g = 0, b = 0]: number[]) => {
  if (Math.min(r, g, b) > 150) return 'white'
  return r > 120 ? 'red' : g > 120 ? 'green' : b > 120 ? 'blue' : 'black'
}

describe('uploading an avatar', () => {
  it.each(pictureFormats)(
    'answers 200 with the user, whose avatar is a WebP square of %s, 512 and 128 wide',
    async (format) => {
      const id = await newUser()
      const { status, body } = await t.upload(id, await pictureOf(1, format))
      expect(status).toBe(200)
      expect(body.data).toMatchObject({
        id,
        avatar: expect.stringMatching(/^http:\/\/gatehouse\.test\/avatars\/[0-9a-f]{64}\.webp$/),
      })
      for (const [url, side] of [
        [body.data.avatar, 512],
        [body.data.avatar.replace('.webp', '-128.webp'), 128],
      ]) {
        const { bytes } = await t.fetch(url)
        expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: side, height: side })
      }
      expect((await t.call(`GET /users/${id}`)).body.data.avatar).toBe(body.data.avatar)
    },
  )

  it('crops the square from the centre', async () => {
    const id = await newUser()
    const wide = await draw(90, 30, (x) => (x < 30 ? [220, 30, 30] : x < 60 ? [30, 200, 30] : [30, 30, 220]))
      .png()
      .toBuffer()
    const { body } = await t.upload(id, wide)
    const at = await pixelsOf((await t.fetch(body.data.avatar)).bytes)
    expect([at(10, 256), at(256, 10), at(500, 256)].map(colourName)).toEqual(['green', 'green', 'green'])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'turns a photograph upright as its EXIF orientation %i says',
    async (orientation) => {
      const id = await newUser()
      const last = 59
      // Where a stored pixel belongs in the upright picture (Exif 2.3, tag 0x0112).
      const upright = (x: number, y: number): [x: number, y: number] => {
        const [across, down] = orientation > 4 ? [y, x] : [x, y]
        const mirrored = [2, 3, 6, 7].includes(orientation)
        const upsideDown = [3, 4, 7, 8].includes(orientation)
        return [mirrored ? last - across : across, upsideDown ? last - down : down]
      }
      const photograph = await draw(60, 60, (x, y) => {
        const [across, down] = upright(x, y)
        if (down < 30) return across < 30 ? [220, 30, 30] : [30, 200, 30]
        return across < 30 ? [250, 250, 250] : [30, 30, 220]
      })
        .withMetadata({ orientation })
        .jpeg({ quality: 95 })
        .toBuffer()
      const { body } = await t.upload(id, photograph)
      const at = await pixelsOf((await t.fetch(body.data.avatar)).bytes)
      const seen = [at(100, 100), at(400, 100), at(400, 400), at(100, 400)].map(colourName)
      expect(seen).toEqual(['red', 'green', 'blue', 'white'])
    },
  )

  it('drops all metadata: EXIF with its place, XMP, ICC and comments', async () => {
    const id = await newUser()
    const exif = { IFD0: { Artist: 'canary artist' }, IFD3: { GPSLatitude: '51/1 30/1 0/1', GPSLatitudeRef: 'N' } }
    const photograph = await corners(60, 60)
      .withExif(exif)
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">canary</x:xmpmeta>')
      .jpeg()
      .toBuffer()
    expect(photograph.includes('canary artist')).toBe(true)
    const { body } = await t.upload(id, photograph)
    const { bytes } = await t.fetch(body.data.avatar)
    const { exif: kept, xmp, icc, iptc, comments } = await sharp(bytes).metadata()
    expect([kept, xmp, icc, iptc, comments].every((part) => part === undefined)).toBe(true)
    expect(bytes.includes('canary')).toBe(false)
  })

  it('takes the first frame of an animation', async () => {
    const id = await newUser()
    const frames = await draw(40, 80, (_x, y) => (y < 40 ? [220, 30, 30] : [30, 30, 220]))
      .raw()
      .toBuffer()
    const animation = await sharp(frames, { raw: { width: 40, height: 80, channels: 3, pageHeight: 40 } })
      .gif({ loop: 0 })
      .toBuffer()
    const { body } = await t.upload(id, animation)
    const { bytes } = await t.fetch(body.data.avatar)
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBeUndefined()
    expect(colourName((await pixelsOf(bytes))(256, 256))).toBe('red')
  })

  it('accepts what cameras and editors write: CMYK, 16 bits, transparency, greyscale, one pixel, ultra HDR', async () => {
    const id = await newUser()
    const deep = new Uint16Array(64 * 48 * 3).map((_, at) => (at * 7919) % 65536)
    const hdr = sharp(deep, { raw: { width: 64, height: 48, channels: 3 } })
    const pictures = [
      await corners(60, 40).toColourspace('cmyk').jpeg().toBuffer(),
      await corners(60, 40).toColourspace('rgb16').png().toBuffer(),
      await corners(60, 40).ensureAlpha(0.5).png().toBuffer(),
      await corners(60, 40).greyscale().jpeg().toBuffer(),
      await corners(60, 40).png({ palette: true }).toBuffer(),
      await corners(60, 40).jpeg({ progressive: true }).toBuffer(),
      await corners(1, 1).png().toBuffer(),
      await (hdr.pipelineColourspace('scrgb').toColourspace('scrgb') as HdrSharp).withGainMap().jpeg().toBuffer(),
    ]
    for (const picture of pictures) expect((await t.upload(id, picture)).status).toBe(200)
  })

  // asvs: 5.3.2
  it('never uses the file name of the client, and hides files from other users of the machine', async () => {
    const id = await newUser()
    const { body } = await t.upload(id, await pictureOf(2))
    const name = body.data.avatar.split('/').at(-1) as string
    expect(t.stored()).toContain(name)
    expect(t.stored().every((file) => /^[0-9a-f]{64}(-128)?\.webp$/.test(file))).toBe(true)
    expect(statSync(join(t.folder, name)).mode & 0o777).toBe(0o600)
    expect(statSync(join(t.folder, 'incoming')).mode & 0o777).toBe(0o700)
  })
})

describe('serving pictures', () => {
  // asvs: 3.2.1, 5.3.1
  it('is with exact type, nosniff, sandboxing CSP and immutable caching, to anybody', async () => {
    const { body } = await t.upload(await newUser(), await pictureOf(3))
    const { status, headers, bytes } = await t.fetch(body.data.avatar)
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'image/webp',
      'content-length': String(bytes.length),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
      'cross-origin-resource-policy': 'cross-origin',
    })
    const head = await t.fetch(body.data.avatar, 'HEAD')
    expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(bytes.length)])
  })

  it.each([
    `${'0'.repeat(64)}.webp`,
    `${'0'.repeat(64)}-64.webp`,
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e%2fgatehouse.db',
    'incoming',
    'incoming%2fx',
    '%00.webp',
    'x.webp',
  ])('answers 404 for %s', async (name) => {
    const { statusCode, body } = await t.app.inject({ method: 'GET', url: `/avatars/${name}` })
    expect(statusCode).toBe(404)
    expect(JSON.parse(body).code).toBe('not_found')
  })
})

describe('who may set an avatar', () => {
  it('is every user for themselves, through /me, with the same answers', async () => {
    const { user, key } = await t.createUser()
    const uploaded = await t.upload('/me/avatar', await pictureOf(4), key)
    expect([uploaded.status, uploaded.body.data.id]).toEqual([200, user.id])
    const url = 'https://pictures.example/me.png'
    const external = await t.call('PUT /me/avatar/external', { key, body: { url } })
    expect([external.status, external.body.data.avatar]).toEqual([200, url])
    const removed = await t.call('DELETE /me/avatar', { key })
    expect([removed.status, removed.body.data.avatar]).toEqual([200, 'http://gatehouse.test/avatars/default.svg'])
  })

  it('is for other users only with users.manage and enough permissions, and a refusal comes before the file is read', async () => {
    const { user, key } = await t.createUser()
    const managers = await t.createRole(`managers ${user.id}`, ['users.manage'])
    const manager = await t.createUser({ role_id: managers })
    const notAPicture = Buffer.from('not a picture')
    const requests = (id: number) => [
      (key: string | null) =>
        t.call(`POST /users/${id}/avatar`, {
          key,
          headers: { 'content-type': 'multipart/form-data; boundary=x' },
          body: notAPicture,
        }),
      (key: string | null) => t.call(`PUT /users/${id}/avatar/external`, { key, body: { url: 'https://a.example/b' } }),
      (key: string | null) => t.call(`DELETE /users/${id}/avatar`, { key }),
    ]
    for (const request of requests(user.id)) {
      expect((await request(null)).status).toBe(401)
      expect((await request(key)).status).toBe(403)
    }
    for (const request of requests(1)) expect((await request(manager.key)).body.code).toBe('user_above_you')
    for (const request of requests(999_999)) expect((await request(t.adminKey)).status).toBe(404)
    expect((await t.upload(user.id, await pictureOf(5), manager.key)).status).toBe(200)
  })

  it('is recorded: who changed whose avatar, and who removed it', async () => {
    const id = await newUser()
    await t.upload(id, await pictureOf(6))
    await t.call(`PUT /users/${id}/avatar/external`, { body: { url: 'https://a.example/b.png' } })
    await t.call(`DELETE /users/${id}/avatar`)
    await t.call(`DELETE /users/${id}/avatar`) // nothing changes, so nothing is recorded
    const { body } = await t.call(`GET /users/${id}/activity`)
    const events = body.data.map(({ event }: { event: string }) => event)
    expect(events).toEqual(['user.avatar_removed', 'user.avatar_changed', 'user.avatar_changed'])
  })
})
