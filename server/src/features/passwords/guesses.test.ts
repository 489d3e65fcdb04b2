import { expect, it } from 'vitest'
import { estimateGuesses } from './guesses.ts'
import { namesAround } from './password-names.ts'

const service = { mailFrom: 'Gatehouse <no-reply@gatehouse.test>', publicUrl: 'http://gatehouse.test' }

/** zxcvbn alone lets these pass: it does not know the year 2026, and the last name is longer than the part that it gets. */
it.each(['newcomer20', 'newcomer201', '4ever.ada_7', 'wolfgang.xqvzkjw.amadeus.hzqpwrt'])(
  'the name %s with a year, digits or marks around it is easy to guess',
  (username) => {
    const names = namesAround({ username, email: 'ada@example.com' }, service)
    for (const password of [`${username}2026`, `2031${username}`, `${username.toUpperCase()}1987!`, `#${username}12`]) {
      const { guesses, reason } = estimateGuesses(password, names, 1e6)
      expect(guesses, password).toBeLessThan(1e5)
      expect(reason, password).toBe('It is made of your own name or that of this service.')
    }
  },
)

it.each(['acmeportal12', 'AcmePortal2026', 'zorblattquix34'])('so is one of several words, joined: %s', (password) => {
  const acme = { mailFrom: 'Acme Portal <no-reply@example.com>', publicUrl: 'http://example.com' }
  const names = namesAround({ email: 'ada@example.org', first_name: 'Zorblatt Quix', last_name: 'Lovelace' }, acme)
  expect(estimateGuesses(password, names, 1e6).guesses).toBeLessThan(1e5)
})

it('a name says nothing about the words around it', () => {
  const names = namesAround({ username: 'ada' }, service)
  expect(estimateGuesses('ada violin harbor thunder', names, 1e6).guesses).toBeGreaterThan(1e6)
})
