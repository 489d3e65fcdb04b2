import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as commonLists } from '@zxcvbn-ts/language-common'
import { dictionary as englishLists } from '@zxcvbn-ts/language-en'
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

it('every large list of zxcvbn is known, and its words are worth what they are to zxcvbn itself', () => {
  const lists = Object.entries({ ...commonLists, ...englishLists }).filter(([, words]) => words.length > 1_000)
  const options = { graphs: adjacencyGraphs, l33tMaxSubstitutions: 10, maxLength: 256 }
  const plain = new ZxcvbnFactory({ dictionary: Object.fromEntries(lists), ...options })
  const letters = lists.map(([, words]) => words.filter((word) => /^\p{L}{3,}$/u.test(word)))
  const words = letters.flatMap((list) => list.filter((_, index) => index % 500 === 250))
  const passwords = words.flatMap((word, index) => [word, `${word}${words[(index * 7) % words.length]}`.slice(0, 24)])
  const guesses = passwords.map((password) => [password, estimateGuesses(password, [], Infinity).guesses])
  expect(guesses).toEqual(passwords.map((password) => [password, plain.check(password).guesses]))
})
