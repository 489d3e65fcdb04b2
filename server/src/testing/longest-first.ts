import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Slow and short: without a run before, Vitest takes the length of a file for its time. */
const slow =
  /(kill|start|processes|move|backup|older-version|standby|durability|users|keys|outbox|late-revocation)\.test\.ts$/

/** Browser tests first, and in each project the slow files: a worker that gets one last would keep everybody waiting. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files) // by project; longest first
    const rank = ({ project, moduleId }: TestSpecification) => `${project.name} ${slow.test(moduleId) ? 0 : 1}`
    return sorted.toSorted((a, b) => (rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0))
  }
}
