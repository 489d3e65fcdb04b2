import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type AvatarApp, startAvatarApp } from '../../testing/avatars.ts'

let t: AvatarApp
beforeAll(async () => {
  t = await startAvatarApp(inject('postgresUrl'))
})
afterAll(() => t.close())

const newUser = async () => (await t.createUser()).user.id

/** Every notation of an address. */
const privateHosts = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.0.1.',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '①②⑦.0.0.1',
    '%31%32%37.0.0.1',
  ],
  ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '100.64.0.1', '0.0.0.0', '0'],
  ...['192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1', '240.0.0.1', '255.255.255.255'],
  ...['[::1]', '[::]', '[fe80::1]', '[fc00::1]', '[fd12::1]', '[ff02::1]', '[fec0::1]', '[2001:db8::1]', '[100::1]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:192.168.0.1]', '[::127.0.0.1]', '[64:ff9b::192.168.0.1]'],
  ...['[64:ff9b:1::10.0.0.1]', '[2002:7f00:1::]', '[2002:c0a8:1::1]', '[2001::1]', '[::ffff:8.8.8.8]'],
  ...['localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'ｌocalhost', 'intranet', 'router', 'printer.local'],
  ...['db.internal', 'nas.home.arpa', 'nas.lan', 'wiki.corp', 'metadata.google.internal', 'metadata.google.internal.'],
  '168.63.129.16',
]
const publicHosts = [
  'cdn.example.com',
  'a.example',
  '8.8.8.8',
  '[2606:4700::1111]',
  'localhost.example.com',
  'bücher.example',
  'mylocal.example',
  '1.1.1.1:8443',
]

describe('an external avatar', () => {
  // asvs: 1.2.2
  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an array', ['https://a.example']],
    ['no address', 'a.example/b.png'],
    ['javascript:', 'javascript:alert(1)'],
    ['data:', 'data:image/png;base64,AAAA'],
    ['ftp:', 'ftp://a.example/b.png'],
    ['file:', 'file:///etc/passwd'],
    ['credentials', 'https://user:secret@a.example/b.png'],
    ['a space', 'https://a.example/a b.png'],
    ['a backslash, after which others read another host', 'https://a.example\\@127.0.0.1/b.png'],
    ['a line break', 'https://a.example/\r\nx.png'],
    ['NUL', 'https://a.example/\0.png'],
    ['2,001 characters', `https://a.example/${'a'.repeat(1983)}`],
  ])('is 422 at url with %s', async (_name, url) => {
    const { status, body } = await t.call('PUT /users/1/avatar/external', { body: { url } })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['url'])
  })

  it.each(['/users/1', '/me'])('is not on a private, local or reserved host: PUT %s/avatar/external', async (whose) => {
    for (const host of privateHosts) {
      for (const scheme of ['http', 'https']) {
        const body = { url: `${scheme}://${host}/a.png` }
        const answer = await t.call(`PUT ${whose}/avatar/external`, { body })
        expect(Object.keys(answer.body.errors ?? {}), body.url).toEqual(['url'])
        expect(answer.status).toBe(422)
      }
    }
  })

  it.each(publicHosts)('may be on a public host: %s', async (host) => {
    const url = `https://${host}/a.png`
    const { status, body } = await t.call(`PUT /users/${await newUser()}/avatar/external`, { body: { url } })
    expect([status, body.data?.avatar]).toEqual([200, url])
  })

  it('is stored as sent, up to 2,000 characters of any script', async () => {
    const id = await newUser()
    for (const url of [`https://a.example/${'é'.repeat(1982)}`, 'HTTP://A.example/%2e%2e/B.PNG?x=<y>#z']) {
      const { status, body } = await t.call(`PUT /users/${id}/avatar/external`, { body: { url } })
      expect([status, body.data.avatar]).toEqual([200, url])
    }
  })
})
