import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { rowOf, signIn } from '../../testing/accounts.ts'
import { startTestApp, type TestApp } from '../../testing/app.ts'
import { asNdjson, countsOf, importFile, ndjson, runJobs, sendFile } from '../../testing/jobs.ts'
import { messageTo, tokenIn } from '../../testing/messages.ts'
import { profileFieldNames } from '../accounts/users.fields.ts'
import type { UserRow } from '../accounts/users.table.ts'
import { removeUpload } from '../jobs/uploads.ts'
import { ImportRow } from './import.schemas.ts'
import { receiveFile } from './receive.ts'

let t: TestApp
beforeAll(async () => {
  t = await startTestApp(inject('postgresUrl'))
})
afterAll(() => t.close())

let made = 0
const address = () => `imported${++made}@im${made}.example.com`
const find = (email: string): Promise<UserRow | undefined> =>
  t.ctx.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

describe('an import', () => {
  it('creates users by the rules of POST /users, and answers 202 with a job', async () => {
    const [one, two] = [address(), address()]
    const file = `email,username,first_name,role,country,status,created_at,birthday,phone\r\n${one},u-${made},"Ada, ""Countess""",User,GB,Active,2020-02-03 04:05:06,1990-12-10,'+44 20\r\n${two},,,,276,Banned,,,\r\n`
    const { status, body } = await sendFile(t, file)
    expect(status).toBe(202)
    expect(body.data).toMatchObject({
      type: 'users.import',
      status: 'queued',
      dry_run: false,
      total: 2,
      done: 0,
      created_by: 1,
    })
    await runJobs(t)
    const job = (await t.call(`GET /jobs/${body.data.id}`)).body.data
    expect(countsOf(job)).toEqual({ created: 2, updated: 0, skipped: 0, failed: 0, done: 2, total: 2, status: 'done' })
    expect(await find(one)).toMatchObject({
      username: `u-${made}`,
      first_name: 'Ada, "Countess"',
      country_id: 826,
      status: 'Active',
      created_at: '2020-02-03 04:05:06',
      birthday: '1990-12-10',
      phone: '+44 20',
      role_id: 2,
      password_hash: '',
    })
    expect(await find(two)).toMatchObject({ status: 'Banned', country_id: 276 })
    const found = await t.call(`GET /users?filter[search]=${one.split('@')[0]}`)
    expect(found.body.meta.total).toBe(1)
    expect((await t.call(`GET /users?filter[import_id]=${job.id}`)).body.meta.total).toBe(2)
    const { body: activity } = await t.call('GET /activity?filter[event]=users.imported')
    expect(activity.data[0]).toMatchObject({ subject_type: 'job', subject_id: job.id, details: { created: 2 } })
  })

  it('keeps the totals of users exact', async () => {
    const total = async () => (await t.call('GET /users')).body.meta.total
    const before = await total()
    const rows = Array.from({ length: 1_203 }, () => address())
    const { job } = await importFile(t, `email\n${rows.join('\n')}`)
    expect(countsOf(job)).toMatchObject({ created: 1_203, done: 1_203, total: 1_203, status: 'done' })
    expect(await total()).toBe(before + 1_203)
  })

  it('names every failing field of a line, and takes the other lines', async () => {
    const good = address()
    const file = `email;birthday;role;country;status\nnot-an-address;2999-01-01;Nobody;Atlantis;Asleep\n\n${good};;;;\n${good};;;;\n`
    const { job, errors } = await importFile(t, file)
    expect(countsOf(job)).toMatchObject({ created: 1, failed: 2, done: 3, total: 3 })
    expect(errors.map(({ line, field }) => [line, field])).toEqual([
      [2, 'email'],
      [2, 'status'],
      [2, 'country'],
      [2, 'role'],
      [2, 'birthday'],
      [5, 'email'],
    ])
    expect(errors[2]?.message).toBe('The country field must be an ISO 3166-1 code, such as GB, GBR or 826.')
    expect(errors[3]?.message).toBe('There is no role "Nobody".')
    expect(errors.at(-1)).toMatchObject({ code: 'user_email_taken' })
  })

  it('gives the same errors as a file where the caller prefers text/csv', async () => {
    const { job } = await importFile(t, 'email\n=bad\n')
    const read = (accept: string) => t.call(`GET /jobs/${job.id}/errors`, { headers: { accept } })
    const { text, headers } = await read('text/csv')
    expect(headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(text).toMatch(/^line,field,code,message\r\n2,email,validation_failed,/)
    for (const accept of ['TEXT/CSV, */*', 'application/json;q=0.5,text/csv', 'text/csv, application/json; q=0'])
      expect((await read(accept)).text).toBe(text)
    for (const accept of ['text/csv;q=0', 'text/csv; q=0.0, */*', 'text/csv, application/json', 'text/csv;q=0.1, */*'])
      expect((await read(accept)).body.data).toHaveLength(1)
  })

  it('gives the file with the filters and the sort of the list, and refuses what the list refuses', async () => {
    const { job } = await importFile(t, 'email,birthday\nbad,nope\nworse,\n')
    const read = (query: string) => t.call(`GET /jobs/${job.id}/errors?${query}`, { headers: { accept: 'text/csv' } })
    const fieldsOf = (text: string) => [...text.matchAll(/^(\d+,\w+),/gm)].map(([, found]) => found)
    expect(fieldsOf((await read('')).text)).toEqual(['2,email', '2,birthday', '3,email'])
    expect(fieldsOf((await read('filter[field]=email&sort=-id')).text)).toEqual(['3,email', '2,email'])
    for (const query of ['filter[shoe]=1', 'sort=message', 'include=user', 'page[shoe]=1', 'cursor=x'])
      expect((await read(query)).status, query).toBe(400)
  })

  it('reads NDJSON; unknown keys are the error of their row', async () => {
    const [one, two] = [address(), address()]
    const file = ndjson({ email: one, first_name: null, email_verified: false }, { email: two, colour: 'red' }, [])
    const { job, errors } = await importFile(t, `${file}{"email":`, asNdjson)
    expect(countsOf(job)).toMatchObject({ created: 1, failed: 3 })
    expect(errors.map(({ line, field }) => [line, field])).toEqual([
      [2, 'colour'],
      [3, 'row'],
      [4, 'row'],
    ])
    expect(await find(one)).toMatchObject({ status: 'Unconfirmed', unconfirmed_since: '2026-01-15 12:00:00' })
    const numbered = address()
    await importFile(t, ndjson({ email: numbered, country: 276, country_id: undefined }), asNdjson)
    expect(await find(numbered)).toMatchObject({ country_id: 276 })
    const third = address()
    await importFile(t, ndjson({ email: third, colour: 'red' }), { ...asNdjson, query: '?ignore_unknown=1' })
    expect(await find(third)).toBeDefined()
  })

  it('refuses a row of more than 200 columns, though unknown ones are ignored', async () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`x${at}`, 1]))
    const query = '?ignore_unknown=1'
    const rows = ndjson({ email: address(), ...many }, { email: address() })
    const json = await importFile(t, rows, { ...asNdjson, query })
    const csv = await importFile(t, `email\n${address()}${','.repeat(200)}\n${address()}\n`, { query })
    expect([countsOf(json.job), countsOf(csv.job)]).toMatchObject(Array(2).fill({ created: 1, failed: 1 }))
    expect(json.errors).toMatchObject([{ line: 1, field: 'row' }])
    expect(csv.errors).toMatchObject([{ line: 2, field: 'row' }])
  })

  it('reads rows of up to 1 MiB, and those around them', async () => {
    const [first, last] = [address(), address()]
    const long = `"${'é ""😀""\n'.repeat(60_000)}"`
    const rows = [`${first},1 Road`, `long@forms.example.com,${long}`, `a@forms.example.com,"${'x'.repeat(200_000)}"y`]
    const many = `b@forms.example.com${','.repeat(900_000)}`
    const { job, errors } = await importFile(t, ['email,address', ...rows, many, `${last},"2 ""Road"""`].join('\n'))
    expect(countsOf(job)).toMatchObject({ created: 2, failed: 3, total: 5 })
    expect(await find(last)).toMatchObject({ address: '2 "Road"' })
    expect(errors).toMatchObject([
      { line: 3, field: 'address', message: expect.stringContaining('greater than') },
      { line: 60_004, field: 'row', message: expect.stringContaining('quote') },
      { line: 60_005, field: 'row', message: expect.stringContaining('200 columns') },
    ])
  })

  it('takes tabs, a byte order mark, gzip and line breaks in cells', async () => {
    const email = address()
    const file = `\uFEFFemail\taddress\n${email}\t"1 Road\n2 Town"\n`
    const { job } = await importFile(t, gzipSync(file), { headers: { 'content-encoding': 'gzip' } })
    expect(countsOf(job)).toMatchObject({ created: 1, total: 1 })
    expect(await find(email)).toMatchObject({ address: '1 Road\n2 Town' })
  })

  it('takes a byte order mark that arrives in pieces', async () => {
    const file = Buffer.from('\uFEFF"email",phone\npieces@forms.example.com,1\n')
    const pieces = [file.subarray(0, 1), file.subarray(1, 2), file.subarray(2)]
    const received = await receiveFile(t.ctx, Readable.from(pieces), {
      format: 'csv',
      isGzip: false,
      ignoreUnknown: false,
    })
    expect(received).toMatchObject({ columns: ['email', 'phone'], rows: 1 })
    await removeUpload(t.ctx, received.upload)
  })

  it('takes passwords by the rules of every new password, and signs people in with them', async () => {
    const [one, two] = [address(), address()]
    const { job, errors } = await importFile(t, `email,password\n${one},a lamp by the window\n${two},password1\n`)
    expect(countsOf(job)).toMatchObject({ created: 1, failed: 1 })
    expect(errors).toMatchObject([{ line: 3, field: 'password' }])
    expect((await signIn(t, one, 'a lamp by the window')).status).toBe(200)
  })

  it('takes hashes of other software, checks them at the first sign-in, and renews them', async () => {
    const [one, two] = [address(), address()]
    const bcrypt = '$2y$10$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky'
    const short = '$scrypt$ln=4,r=8,p=1$c2FsdA$A'
    const file = `email;password_hash\n${one};${bcrypt}\n${two};md5\n${address()};${short}\n`
    const { job, errors } = await importFile(t, file)
    expect(countsOf(job)).toMatchObject({ created: 1, failed: 2 })
    const key = expect.stringContaining('10 to 64 bytes')
    expect(errors).toMatchObject([
      { line: 3, field: 'password_hash' },
      { line: 4, field: 'password_hash', message: key },
    ])
    expect((await find(one))?.password_hash).toBe(bcrypt)
    expect((await signIn(t, one, 'wrong')).status).toBe(422)
    expect((await signIn(t, one, 'Grüße aus Köln 42')).status).toBe(200)
    expect((await find(one))?.password_hash).toMatch(/^\$argon2id\$/)
    expect((await signIn(t, one, 'Grüße aus Köln 42')).status).toBe(200)
  })

  it('takes Firebase hashes with the parameters of the project', async () => {
    const email = address()
    const parameters = {
      algorithm: 'SCRYPT',
      base64_signer_key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
      base64_salt_separator: 'Bw==',
      rounds: 8,
      mem_cost: 14,
    }
    const hash = 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='
    const query = `?hash_parameters=${encodeURIComponent(JSON.stringify(parameters))}`
    await importFile(t, `email,password_hash,password_salt\n${email},${hash},42xEC+ixf3L2lw==\n`, { query })
    expect((await signIn(t, email, 'user1password')).status).toBe(200)
  })

  it('invites those without a password with notify=invite', async () => {
    const [one, two] = [address(), address()]
    const file = `email,password\n${one},\n${two},a lamp by the window\n`
    await importFile(t, file, { query: '?notify=invite' })
    expect(await find(one)).toMatchObject({ status: 'Unconfirmed', unconfirmed_since: null })
    expect(tokenIn(await messageTo(t, one, 'invitation'))).toBeTruthy()
    expect(await find(two)).toMatchObject({ status: 'Active' })
  })
})

describe('a row whose address has an account', () => {
  it('fails, is skipped or updates the user; what it does not give stays', async () => {
    const { user } = await t.createUser({ first_name: 'Old', last_name: 'Name', email: address() })
    const file = `email,first_name,last_name\n${user.email.toUpperCase()},New,\n`
    expect(countsOf((await importFile(t, file)).job)).toMatchObject({ failed: 1 })
    expect(countsOf((await importFile(t, file, { query: '?on_conflict=skip' })).job)).toMatchObject({ skipped: 1 })
    expect((await rowOf(t, user.id)).first_name).toBe('Old')
    const { job } = await importFile(t, file, { query: '?on_conflict=update' })
    expect(countsOf(job)).toMatchObject({ updated: 1 })
    expect(await rowOf(t, user.id)).toMatchObject({ first_name: 'New', last_name: 'Name', email: user.email })
    expect(countsOf((await importFile(t, file, { query: '?on_conflict=update' })).job)).toMatchObject({ skipped: 1 })
    await importFile(t, ndjson({ email: user.email, last_name: null }), { ...asNdjson, query: '?on_conflict=update' })
    expect((await rowOf(t, user.id)).last_name).toBeNull()
  })

  it('fails with the username of somebody else', async () => {
    const [one, two] = [await t.createUser({ username: 'holder-of-it' }), await t.createUser()]
    const { errors } = await importFile(t, `email,username\n${two.user.email},HOLDER-of-it\n`, {
      query: '?on_conflict=update',
    })
    expect(errors).toMatchObject([{ line: 2, field: 'username', code: 'user_username_taken' }])
    const swapped = `email,username\n${one.user.email},given-away\n${two.user.email},holder-of-it\n`
    expect(countsOf((await importFile(t, swapped, { query: '?on_conflict=update' })).job)).toMatchObject({ updated: 2 })
    expect((await rowOf(t, two.user.id)).username).toBe('holder-of-it')
  })

  it('follows who may change whom: users above, own sign-in, last administrator', async () => {
    const role = await t.createRole('Importers', ['users.manage'])
    const { user, key } = await t.createUser({ role_id: role })
    const file = `email,status,role\nadmin@example.com,Banned,\n${user.email},Banned,\n${address()},,Admin\n`
    const { errors } = await importFile(t, file, { query: '?on_conflict=update', key })
    expect(errors.map(({ line, code }) => [line, code])).toEqual([
      [2, 'user_above_you'],
      [2, 'user_last_admin'],
      [3, 'user_is_yourself'],
      [4, 'role_above_you'],
    ])
    const hash = '$2y$10$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky'
    const own = await importFile(t, `email,password_hash\nadmin@example.com,${hash}\n`, {
      query: '?on_conflict=update',
    })
    expect(own.errors).toMatchObject([{ field: 'password_hash' }])
    const password = await importFile(t, 'email,password\nadmin@example.com,a lamp by the window\n', {
      query: '?on_conflict=update',
    })
    expect(password.errors).toMatchObject([{ field: 'password' }])
  })

  it('ends the sessions of those whom it bans, with an audit row', async () => {
    const { user } = await t.createUser({ email: address() })
    await importFile(t, `email,status\n${user.email},Banned\n`, { query: '?on_conflict=update' })
    const { body } = await t.call(`GET /users/${user.id}/activity`)
    expect(body.data[0]).toMatchObject({ event: 'user.banned', actor_id: 1 })
  })
})

it('has a column for every field of the profile', () => {
  expect(Object.keys(ImportRow.properties)).toEqual(expect.arrayContaining(profileFieldNames))
})

it('NUL and lone quotes are the error of their row', async () => {
  const good = address()
  const file = `email,first_name\na@example.com,A\u0000B\nb@example.com,a"b\n${good},"fine"\n`
  const { job, errors } = await importFile(t, file)
  expect(countsOf(job)).toMatchObject({ created: 1, failed: 2 })
  expect(errors.map(({ line, field }) => [line, field])).toEqual([
    [2, 'first_name'],
    [3, 'row'],
  ])
})
