import { Counter, type Registry } from 'prom-client'

/** Why a sign-in failed, as recorded in the audit log. */
export type FailureReason = 'password' | 'two_factor' | 'banned' | 'unconfirmed' | 'limited'

/** How a sign-in ended. `challenged`: the password was right and a second factor is required; `overloaded`: nothing was checked. */
export type Outcome = 'success' | 'challenged' | 'overloaded' | FailureReason

const outcomes: readonly Outcome[] = [
  'success',
  'challenged',
  'password',
  'two_factor',
  'banned',
  'unconfirmed',
  'limited',
  'overloaded',
]

/** Since this process started. */
const totals = new Map<Outcome, number>(outcomes.map((outcome) => [outcome, 0]))

export function noteOutcome(outcome: Outcome): void {
  totals.set(outcome, (totals.get(outcome) ?? 0) + 1)
}

/** Adds `gatehouse_sign_ins_total` to the metrics. */
export function addSignInMetrics(registry: Registry): void {
  new Counter({
    name: 'gatehouse_sign_ins_total',
    help: 'Sign-ins by how they ended, including unknown names.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, total] of totals) this.inc({ outcome }, total)
    },
  })
}
