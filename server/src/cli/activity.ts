import { ServiceError } from '../core/errors.ts'
import { type Problem, verifyActivity } from '../features/activity/verify.ts'
import { withExisting } from './open.ts'
import { counted, print, printJson } from './output.ts'

const inWords: Readonly<Record<Problem['kind'], (problem: Problem) => string>> = {
  changed: ({ id, position }) => `Row ${id} (position ${position}) was changed, or stands where another one stood.`,
  missing: ({ id, position }) => `The row at position ${position}${id === null ? '' : ` (id ${id})`} is missing.`,
  added: ({ id }) => `Row ${id} was added past the service.`,
  cut: ({ position }) => `The end of the log is missing, from position ${position} on.`,
  rewritten: ({ position }) => `The log was rewritten up to position ${position}: the signature does not fit.`,
}

/** Walks the whole log; throws where it is not intact. */
export async function verifyActivityCommand(options: { json?: true }): Promise<void> {
  await withExisting(async (ctx) => {
    const verdict = await verifyActivity(ctx)
    const { rows, retired, waiting, head, problems } = verdict
    if (options.json) printJson({ intact: problems.length === 0, ...verdict })
    if (problems.length > 0)
      throw new ServiceError(
        'activity_not_intact',
        409,
        problems.map((problem) => inWords[problem.kind](problem)).join(' '),
      )
    if (options.json) return
    const more = [
      ...(retired > 0 ? [`${counted(retired, 'was', 'were')} removed by retention between them`] : []),
      ...(waiting > 0 ? [`${counted(waiting, 'still waits for its place', 'still wait for their place')}`] : []),
    ]
    print(
      `The log is intact: ${counted(rows, 'row')}${more.map((text) => `; ${text}`).join('')}. Head: position ${head.position}, ${head.hash}.\n`,
    )
  })
}
