import { clockSteps } from './clock-steps.ts'
import type { Config } from './config.ts'
import { type Context, type Log, silentLog } from './core/context.ts'
import { createJobRunner, createJobs, type Jobs } from './core/jobs.ts'
import { noPlugins, type Plugins } from './core/plugins.ts'
import type { Sealer } from './core/sealing.ts'
import { messageIdsOf } from './core/sender.ts'
import { noSiblings } from './core/siblings.ts'
import type { Telemetry } from './core/telemetry.ts'
import { type Clock, systemClock } from './core/time.ts'
import { createTraffic } from './core/traffic.ts'
import { transactionOn } from './core/transaction.ts'
import type { RootDb } from './db/database.ts'
import { backgroundOf } from './db/direct.ts'
import { createEventWriter, sequencerJob } from './features/activity/event-writer.ts'
import { bulkJobs, undoJobs } from './features/bulk/bulk.jobs.ts'
import { readActor } from './features/credentials/credentials.service.ts'
import { importJobs } from './features/import/import.service.ts'
import { type JobHandler, runJobs } from './features/jobs/jobs.runner.ts'
import { deliverJob, deliveryJob } from './features/webhooks/delivery/job.ts'
import { maintenanceJobs } from './maintenance.ts'
import { createOutbox } from './outbox/outbox.ts'
import { hostPlugins } from './plugin-host/host-plugins.ts'
import type { LoadedPlugin } from './plugin-host/load.ts'
import { traceTransports } from './transports/call-spans.ts'
import { createTransports } from './transports/transports.ts'

/** What runs as a job. */
const jobHandlers: readonly JobHandler[] = [importJobs, bulkJobs, undoJobs]

/** What a context is made of. Without a clock it uses the system's; without a log it is silent. */
interface ContextParts {
  readonly db: RootDb
  readonly config: Config
  readonly sealer: Sealer
  readonly clock?: Clock
  readonly log?: Log
  readonly plugins?: readonly LoadedPlugin[]
  readonly telemetry?: Telemetry | undefined
}

/** Creates the context of every service from an open database. */
export function createContext({
  db,
  config,
  sealer,
  clock = systemClock,
  log = silentLog,
  plugins = [],
  telemetry,
}: ContextParts): Context {
  const transports = traceTransports(createTransports(config, log), telemetry)
  const outbox = createOutbox({ db, clock, log, sealer, transports, newMessageId: messageIdsOf(config) })
  const core = {
    db,
    unguarded: db,
    config,
    clock,
    log,
    sealer,
    outbox,
    plugins: noPlugins,
    jobs: createJobs([]),
    siblings: noSiblings,
    traffic: createTraffic(),
    telemetry,
  }
  const eventWriter = createEventWriter(core)
  const ctx: Context & { plugins: Plugins; jobs: Jobs } = Object.assign(core, {
    transaction: transactionOn(core, db, readActor, eventWriter),
    backgroundTransaction: transactionOn(core, backgroundOf(db), readActor, eventWriter),
  })
  ctx.plugins = hostPlugins(ctx, plugins)
  const maintenance = [...maintenanceJobs(ctx), clockSteps(ctx)].map((job) => createJobRunner(job, log))
  const longWork = createJobRunner(runJobs(ctx, jobHandlers), log)
  const leaving = [sequencerJob(ctx, () => ctx.jobs.wake(deliverJob)), deliveryJob(ctx)]
  const events = leaving.map((job) => createJobRunner(job, log))
  ctx.jobs = createJobs([...maintenance, longWork, ...events, ...ctx.plugins.jobs])
  return ctx
}
