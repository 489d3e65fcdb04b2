import { pbkdf2Sync, scryptSync } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { expect, it } from 'vitest'
import { isForeignHash, readForeignHash } from './foreign-hashes.ts'
import { renewedHash, verifyPassword } from './passwords.service.ts'

/* Vectors that other software made, with the password that it was given. */

const password = 'Grüße aus Köln 42'
const vectors = [
  ['PHP 8.2.36 password_hash bcrypt', '$2y$10$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky'],
  [
    'PHP 8.2.36 password_hash argon2id',
    '$argon2id$v=19$m=2048,t=3,p=1$SklzL01ETlc1VnYwWE5PVQ$LkTcYalVCAdDauPA0bGX64UsrtGpCZBQJ1ixB3IeT84',
  ],
  [
    'PHP 8.2.36 password_hash argon2i',
    '$argon2i$v=19$m=2048,t=3,p=1$SVBZUm1Fa2oxd3BHWHhFVQ$i8bWIZ5r3E56DNe3U/nnm4zbZiSwzX3vWzPsj9HpO7A',
  ],
  [
    'PHP 8.2.36 hash_pbkdf2 in PHC form',
    '$pbkdf2-sha256$i=27500,l=32$ow/Jca58VvbGhNsaegMBwA$nyyWI6P4QJPch/uk910YzarjMerSFhOW15vxXdZf9mk',
  ],
  [
    'passlib 1.7.4 pbkdf2_sha256',
    '$pbkdf2-sha256$29000$rLU2RihlDKHUOufc29t7Lw$wcQLVh6lpDP7eaNCQ9s97s4yEM9FsliWLfDomcfzS64',
  ],
  [
    'passlib 1.7.4 pbkdf2_sha512',
    '$pbkdf2-sha512$25000$nxPC.H/vHaNUak3pnXNOqQ$51T1L/amMb9OqlVTk9yje7jMTDkdDO/DPHihpgrQya6W4U24K/Ju7uS26IfiGVNjj6V7et6sCHCdf3QY6cuNPQ',
  ],
  ['passlib 1.7.4 pbkdf2_sha1', '$pbkdf2$12000$Rqh1jpEyhtBaa02plZLSeg$eEjq0o0NHIWoGcuaqTwyb5AGSJU'],
  ['passlib 1.7.4 phpass', '$P$BLglXshXGlQOW7pfc4pIP.JnRTR8mE0'],
  ['passlib 1.7.4 scrypt', '$scrypt$ln=14,r=8,p=1$+N8bA6AUQkip1dp7b621tg$RBk0lTzui8BTw5JDLpHJ9Rkmr1D2u0JolY+nybZKdGE'],
  ['passlib 1.7.4 argon2', '$argon2id$v=19$m=4096,t=3,p=8$yzmH8H4vZQyBsNbau7c2hg$C1KoYJTIg6xydrHiisGKUQ'],
  [
    'passlib 1.7.4 django_pbkdf2_sha256',
    'pbkdf2_sha256$20000$Cc9mIdQlzd7P$NtcnEPZGcfU3x2WC0Wzl5RNHslvB9dofmCDDxET3z0A=',
  ],
  ['passlib 1.7.4 argon2i', '$argon2i$v=19$m=1024,t=2,p=8$T0lpjZHy3hsDYOxda20tBQ$lpASk0swGz4n19J2LZY54w'],
  ['python bcrypt 3.2.2', '$2b$06$jAe/huxT1bOrPOdcKhMjpeLVKUmacu5ULKbVtosdCVrHi5ddMOVmO'],
  [
    'Django 3.2.25 pbkdf2_sha256',
    'pbkdf2_sha256$260000$vA2WoCWRxoUrLdvI4BnFwc$BYlyRqCf95NoKcP8N/w23w5HoM81q5C/oQjruhMhi6A=',
  ],
  ['Django 3.2.25 pbkdf2_sha1', 'pbkdf2_sha1$260000$PvKaRxK6zIU7zyJ41E8iqs$seFbWYCNBjZV9p3r1iDH+doqo1k='],
  [
    'Django 3.2.25 argon2',
    'argon2$argon2id$v=19$m=102400,t=2,p=8$ckFOaEVGbUsxTlF0dnlNM3BUWkdMZQ$LdHRRFG8RUCx2eZJqqQStA',
  ],
  ['Django 3.2.25 bcrypt', 'bcrypt$$2b$12$HB/PkwHDeMgRVAinA81iT.yJWn2dKiRP8nfq4EMd/q9TvAwHSk0JS'],
] as const

const stored = (hash: string): string => {
  const read = readForeignHash(hash, undefined, undefined)
  if ('fault' in read) throw new Error(read.fault)
  return read.hash
}

it.each(vectors)('a hash of %s is accepted, matches its password only, and is renewed', async (_by, hash) => {
  const kept = stored(hash)
  expect(await verifyPassword(kept, password)).toBe(true)
  expect(await verifyPassword(kept, `${password}!`)).toBe(false)
  const renewed = (await renewedHash(kept, password)) ?? ''
  expect(renewed).toMatch(/^\$argon2id\$/)
  expect(await verifyPassword(renewed, password)).toBe(true)
})

/** The example of github.com/firebase/scrypt. */
const firebase = {
  base64_signer_key: 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
  base64_salt_separator: 'Bw==',
  rounds: 8,
  mem_cost: 14,
}
const ofFirebase = 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ=='

it('the published example of Firebase matches', async () => {
  const read = readForeignHash(ofFirebase, '42xEC+ixf3L2lw==', firebase)
  const hash = 'hash' in read ? read.hash : ''
  expect(isForeignHash(hash)).toBe(true)
  expect(await verifyPassword(hash, 'user1password')).toBe(true)
  expect(await verifyPassword(hash, 'user2password')).toBe(false)
})

const bare = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
const ofPbkdf2 = (bytes: number) => bare(pbkdf2Sync(password, 'salt', 1, bytes, 'sha256'))
const ofScrypt = (bytes: number) => bare(scryptSync(password, 'salt', bytes, { N: 16, r: 8, p: 1 }))
const ofArgon2 = (outputLen: number) => hash(password, { outputLen, memoryCost: 64, timeCost: 1 })

/** Most are of the password itself: their keys are right as far as they go. */
const tooShort = [
  ['an scrypt key of one character', '$scrypt$ln=4,r=8,p=1$c2FsdA$A'],
  ['an scrypt key of a byte', `$scrypt$ln=4,r=8,p=1$c2FsdA$${ofScrypt(1)}`],
  ['an scrypt key of nine bytes', `$scrypt$ln=4,r=8,p=1$c2FsdA$${ofScrypt(9)}`],
  ['an scrypt salt of one character', `$scrypt$ln=4,r=8,p=1$A$${ofScrypt(32)}`],
  ['a PBKDF2 key of one character', '$pbkdf2-sha256$i=1,l=32$c2FsdA$A'],
  ['a PBKDF2 key of a byte', `$pbkdf2-sha256$1$c2FsdA$${ofPbkdf2(1)}`],
  ['a PBKDF2 key with a character too many', `$pbkdf2-sha256$1$c2FsdA$${ofPbkdf2(12)}A`],
  ['a Django key of a byte', `pbkdf2_sha256$1$salt$${ofPbkdf2(1)}==`],
  ['an Argon2 key of four bytes', await ofArgon2(4)],
  ['an Argon2 salt of four bytes', `$argon2id$v=19$m=64,t=1,p=1$c2FsdA$${'A'.repeat(43)}`],
  ['a Firebase hash and signer key of one character', '$firebase-scrypt$ln=4,r=8$A$Bw$c2FsdA$A'],
] as const

it.each(tooShort)('%s that was stored by an earlier version matches nothing', async (_what, hash) => {
  expect(await verifyPassword(hash, password)).toBe(false)
})

it('the parameters of Firebase need its whole signer key', () => {
  const read = readForeignHash(ofFirebase, '42xEC+ixf3L2lw==', { ...firebase, base64_signer_key: 'jxsp' })
  expect(read).toEqual({ fault: expect.stringContaining('base64_signer_key of hash_parameters must be 64 bytes') })
})

it('the first block of a PBKDF2 key decides, so that a long key costs no more rounds', async () => {
  const first = pbkdf2Sync(password, 'salt', 1_000, 20, 'sha1')
  const hash = `$pbkdf2-sha1$1000$c2FsdA$${bare(Buffer.concat([first, Buffer.alloc(44)]))}`
  expect([await verifyPassword(hash, password), await verifyPassword(hash, 'another')]).toEqual([true, false])
})

it.each<[string, string, string]>([
  ['bcrypt of cost 16', '$2y$16$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky', 'too costly'],
  ['Argon2 of 257 MiB', '$argon2id$v=19$m=263168,t=3,p=1$SklzL01ETlc1VnYwWE5PVQ$LkTcYalVCAdDauPA0bGX6A', 'too costly'],
  [
    'scrypt of 512 MiB',
    '$scrypt$ln=19,r=8,p=1$+N8bA6AUQkip1dp7b621tg$RBk0lTzui8BTw5JDLpHJ9Rkmr1D2u0JolY+nybZKdGE',
    'too costly',
  ],
  ['PBKDF2 of 5,000,001 rounds', '$pbkdf2-sha256$i=5000001,l=32$ow/Jca58VvbGhNsaegMBwA$nyyWI6P4QJPchw', 'too costly'],
  ['a bare MD5', '5f4dcc3b5aa765d61d8327deb882cf99', 'must be Argon2'],
  ['nothing', '', 'must be Argon2'],
  ['a Firebase hash without the parameters', ofFirebase, 'must be Argon2'],
  ...tooShort.map(([what, hash]): [string, string, string] => [what, hash, 'bytes in base64']),
  ['a PBKDF2 key of 735 bytes', `$pbkdf2-sha1$1000$c2FsdA$${'A'.repeat(980)}`, '10 to 64 bytes'],
  ['an scrypt key of 65 bytes', `$scrypt$ln=4,r=8,p=1$c2FsdA$${'A'.repeat(87)}`, '10 to 64 bytes'],
  ['Argon2 in the URL alphabet', `$argon2id$v=19$m=64,t=1,p=1$c2FsdHNhbHQ$${'_'.repeat(22)}`, 'must be Argon2'],
])('%s is refused', (_what, hash, why) => {
  expect(readForeignHash(hash, undefined, undefined)).toEqual({ fault: expect.stringContaining(why) })
})
