import { availableParallelism } from 'node:os'
import { performance } from 'node:perf_hooks'
import { hash, verify } from '@node-rs/argon2'

/** Measures how many passwords a second an otherwise idle machine can check at Gatehouse's hashing cost. Prints the rate. */
const { seconds } = JSON.parse(process.argv[2] ?? '{}') as { seconds: number }
const cost = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const passwordHash = await hash('the password of nobody', cost)
const started = performance.now()
let checked = 0
const work = async () => {
  while (performance.now() - started < seconds * 1000) {
    if (await verify(passwordHash, 'some other password')) throw new Error('argon2 took a wrong password')
    checked++
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work))
process.stdout.write(`${(checked * 1000) / (performance.now() - started)}\n`)
