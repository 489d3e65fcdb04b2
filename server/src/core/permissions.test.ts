import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { covers, holds, intersection, noPermissions, type PermissionSet } from './permissions.ts'

const names = ['users.manage', 'users.activity', 'roles.manage', 'a', 'b', 'c']
const name = fc.constantFrom(...names)
const set: fc.Arbitrary<PermissionSet> = fc.oneof(
  { weight: 1, arbitrary: fc.constant('all' as const) },
  { weight: 5, arbitrary: fc.uniqueArray(name).map((list) => new Set(list)) },
)

/** Equal as sets, in any order. */
const same = (a: PermissionSet, b: PermissionSet): boolean => covers(a, b) && covers(b, a)

const holdsFor = (law: (a: PermissionSet, b: PermissionSet, c: PermissionSet) => boolean): void =>
  fc.assert(
    fc.property(set, set, set, (a, b, c) => law(a, b, c)),
    { numRuns: 500 },
  )

describe('permission sets are ordered by `covers`', () => {
  it('every set covers itself', () => holdsFor((a) => covers(a, a)))

  it('what covers a set covers all that the set covers', () =>
    holdsFor((a, b, c) => !(covers(a, b) && covers(b, c)) || covers(a, c)))

  it('sets that cover each other hold the same', () =>
    holdsFor((a, b) => !same(a, b) || names.every((one) => holds(a, one) === holds(b, one))))

  it('all covers everything, and the empty set is covered by everything', () =>
    holdsFor((a) => covers('all', a) && covers(a, noPermissions)))

  it('a set of names covers another exactly when it holds each of its names', () =>
    holdsFor((a, b) => b === 'all' || covers(a, b) === [...b].every((one) => holds(a, one))))

  it('no list of names covers `all`, which includes future permissions', () => {
    expect(covers(new Set(names), 'all')).toBe(false)
  })
})

describe('intersection is the meet of that order', () => {
  it('is idempotent, commutative and associative', () =>
    holdsFor(
      (a, b, c) =>
        same(intersection(a, a), a) &&
        same(intersection(a, b), intersection(b, a)) &&
        same(intersection(a, intersection(b, c)), intersection(intersection(a, b), c)),
    ))

  it('is the greatest set that both cover', () =>
    holdsFor((a, b, c) => covers(intersection(a, b), c) === (covers(a, c) && covers(b, c))))

  it('holds a permission exactly when both sets do', () =>
    holdsFor((a, b) => names.every((one) => holds(intersection(a, b), one) === (holds(a, one) && holds(b, one)))))

  it('does not change its operands', () => {
    const [a, b] = [new Set(['a', 'b']), new Set(['b', 'c'])]
    intersection(a, b)
    expect([[...a], [...b]]).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ])
  })
})
