import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measure } from './measure.ts'

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

/** Runs tests of a build; returns the result of each. */
async function runTests(root: string, file: string, project: string, pattern: string, env: Record<string, string>) {
  const output = join(tmpdir(), `gatehouse-late-${process.pid}-${project}.json`)
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const choice = ['--project', project, '--retry', '0', '-t', pattern, file]
  const report = ['--reporter', 'json', '--outputFile', output]
  const child = spawn(process.execPath, [vitest, 'run', '--root', root, ...choice, ...report], {
    cwd: root,
    env: { PATH: `${join(root, 'node_modules/.bin')}:/usr/bin:/bin`, HOME: tmpdir(), ...env },
    stdio: 'ignore',
  })
  await once(child, 'exit')
  const { testResults } = JSON.parse(readFileSync(output, 'utf8')) as Report
  rmSync(output)
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'skipped' && status !== 'pending')
}

/** The same tests as in the suite: every operation that writes, and every way in which a credential can end in the meantime. */
export const revocation: Measure = {
  promise: 'a request whose credential ends before its transaction changes nothing: every operation that writes',
  guards: {
    'the actor is read again in the transaction': [
      {
        file: 'features/credentials/credentials.service.ts',
        find: 'if (credential === null) return actor\n',
        replace: 'if (credential !== undefined) return actor\n',
      },
    ],
    'and when the body has arrived': [
      {
        file: 'features/credentials/credentials.service.ts',
        find: 'if (credential === null) return actor\n',
        replace: 'if (credential !== undefined) return actor\n',
      },
      {
        file: 'http/credentials.ts',
        find: 'performance.now() - request.admittedMs > admissionHoldsMs',
        replace: 'request.admittedMs > admissionHoldsMs * 1e12',
      },
    ],
  },
  take: async ({ build, postgresUrl, isShort }) => {
    const project = postgresUrl === null ? 'sqlite' : 'postgres'
    const pattern = isShort ? '(createUser|updateUser|deleteRole|createApiKey) changes nothing' : 'changes nothing'
    const env: Record<string, string> = postgresUrl === null ? {} : { TEST_POSTGRES_URL: postgresUrl }
    const results = await runTests(build.root, 'server/src/http/late-revocation.test.ts', project, pattern, env)
    const failed = results.filter(({ status }) => status !== 'passed')
    const groups = Object.entries(
      Object.groupBy(failed, ({ fullName }) =>
        fullName.includes('just before') ? 'just before the transaction' : 'with a late body',
      ),
    )
    const which = groups.map(([group, those]) => `${those?.length} ${group}`).join(', ')
    return {
      figure: `${results.length} attacks, ${failed.length} got through${which === '' ? '' : ` (${which})`}`,
      holds: failed.length === 0 && results.length >= 8,
    }
  },
}
