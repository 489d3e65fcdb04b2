/** The finalizer of splitmix32: a bijection, so two indices under one seed never start from the same state. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  return h ^ (h >>> 15)
}

const GOLDEN_RATIO = 0x9e3779b9

/**
 * splitmix32, seeded for each user. Each user also has a different step: with a common one, two users a few steps apart
 * would share a sequence, which made several twins in a million.
 */
export class Random {
  #state = 0
  #step = 1
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = mix(seed ^ mix(Math.floor(seed / 2 ** 32) + GOLDEN_RATIO))
  }

  reset(index: number): void {
    this.#state = mix(mix(index + GOLDEN_RATIO) ^ this.#seed)
    this.#step = mix(this.#state ^ GOLDEN_RATIO) | 1
  }

  /** From 0 up to but not including 1. */
  float(): number {
    this.#state = (this.#state + this.#step) | 0
    return (mix(this.#state) >>> 0) / 2 ** 32
  }

  below(limit: number): number {
    return Math.floor(this.float() * limit)
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T
  }
}
