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

it.each([
  ['bcrypt of cost 16', '$2y$16$uHCQWS0dapFs/qKDFWVovOl/dFYNHFKmRMc1loViKHGQBae0vs/Ky', 'too costly'],
  ['Argon2 of 257 MiB', '$argon2id$v=19$m=263168,t=3,p=1$SklzL01ETlc1VnYwWE5PVQ$LkTcYalVCAdDauPA0bGX6A', 'too costly'],
  [
    'scrypt of 512 MiB',
    '$scrypt$ln=19,r=8,p=1$+N8bA6AUQkip1dp7b621tg$RBk0lTzui8BTw5JDLpHJ9Rkmr1D2u0JolY+nybZKdGE',
    'too costly',
  ],
  ['PBKDF2 of 5,000,001 rounds', '$pbkdf2-sha256$i=5000001,l=32$ow/Jca58VvbGhNsaegMBwA$nyyWI6P4QJPch', 'too costly'],
  ['a bare MD5', '5f4dcc3b5aa765d61d8327deb882cf99', 'must be Argon2'],
  ['nothing', '', 'must be Argon2'],
  ['a Firebase hash without the parameters', ofFirebase, 'must be Argon2'],
])('%s is refused', (_what, hash, why) => {
  expect(readForeignHash(hash, undefined, undefined)).toEqual({ fault: expect.stringContaining(why) })
})
