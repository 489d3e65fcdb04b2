import { Counter, Gauge, type Registry } from 'prom-client'
import type { JobRunner } from '../core/jobs.ts'

/** Adds the results of this process's background jobs to the metrics. */
export function addJobMetrics(registry: Registry, runners: readonly JobRunner[]): void {
  const registers = [registry]
  new Counter({
    name: 'gatehouse_job_runs_total',
    help: 'Runs of background jobs by how they ended.',
    labelNames: ['job', 'outcome'],
    registers,
    collect() {
      this.reset()
      for (const { name, state } of runners) {
        this.inc({ job: name, outcome: 'success' }, state().succeeded)
        this.inc({ job: name, outcome: 'failure' }, state().failed)
      }
    },
  })
  new Gauge({
    name: 'gatehouse_job_last_run_timestamp_seconds',
    help: 'When the last run of a job began.',
    labelNames: ['job'],
    registers,
    collect() {
      this.reset()
      for (const { name, state } of runners) {
        const { lastRunMs } = state()
        if (lastRunMs !== null) this.set({ job: name }, lastRunMs / 1_000)
      }
    },
  })
  new Gauge({
    name: 'gatehouse_job_last_duration_seconds',
    help: 'How long the last run of a job took.',
    labelNames: ['job'],
    registers,
    collect() {
      this.reset()
      for (const { name, state } of runners) this.set({ job: name }, state().lastSeconds)
    },
  })
  new Gauge({
    name: 'gatehouse_job_last_error',
    help: '1 for a job whose last run failed, with the code or name of the error.',
    labelNames: ['job', 'error'],
    registers,
    collect() {
      this.reset()
      for (const { name, state } of runners) {
        const { lastError } = state()
        if (lastError !== null) this.set({ job: name, error: lastError }, 1)
      }
    },
  })
}
