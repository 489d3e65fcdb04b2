import { globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { byAbsence, documented, notApplicable, notMet } from './asvs-answers.ts'
import { foreignChapters, requirements } from './asvs-requirements.ts'

/** A test that is tagged with a comment above it: `// asvs: 6.2.1, 6.2.4`. */
interface Tagged {
  readonly numbers: readonly string[]
  readonly file: string
  readonly name: string
}

const tag = /^\s*\/\/ asvs: (.+)$/
/** The name of a test or a group of them: behind `it(`, or behind the table of its cases. */
const named = /(?:\b(?:it|itOnce|describe)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1/

function readTags(root: string): Tagged[] {
  const files = globSync('{server,client,plugins,plugin-kit,e2e}/**/*.test.ts', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
  return files.toSorted().flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, at) => {
      const numbers = tag.exec(line)?.[1]?.split(', ')
      if (numbers === undefined) return []
      const name = named.exec(lines.slice(at + 1).join('\n'))?.[2]
      if (name === undefined) throw new Error(`${file}:${at + 1}: no test follows this tag`)
      return [{ numbers, file: file.split(sep).join('/'), name: name.replaceAll(/\\(.)/g, '$1') }]
    })
  })
}

const answers = { byAbsence, documented, notApplicable, notMet }

/** Every requirement has one answer, and every answer a requirement; else this throws. */
function assertComplete(tags: readonly Tagged[]): void {
  const known = new Set(requirements.map(([number]) => number))
  const given = [
    ...tags.flatMap(({ numbers }) => [...new Set(numbers)]),
    ...Object.values(answers).flatMap(Object.keys),
  ]
  const unknown = given.find((number) => !known.has(number))
  if (unknown !== undefined) throw new Error(`ASVS ${unknown} is no requirement of level 1 or 2 that is listed`)
  const tested = new Set(tags.flatMap(({ numbers }) => numbers))
  for (const number of known) {
    const count = Object.values(answers).filter((those) => number in those).length + (tested.has(number) ? 1 : 0)
    if (count !== 1) throw new Error(`ASVS ${number} has ${count} answers, not one`)
  }
}

/** The text of docs/asvs.md. */
export function writeAsvs(root: string, origin: string): string {
  const tags = readTags(root)
  assertComplete(tags)
  const link = (path: string, text: string) =>
    `[${text}](${relative(join(root, 'docs'), join(root, path)).split(sep).join('/')})`
  const inCell = (text: string) => text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;')
  const shownBy = (number: string): string => {
    if (notApplicable[number] !== undefined) return `does not apply: ${notApplicable[number]}`
    if (notMet[number] !== undefined) return `**not met**: ${notMet[number]}`
    if (byAbsence[number] !== undefined) return `by absence: ${byAbsence[number]}`
    const document = documented[number]
    if (document !== undefined) return link(document, document)
    const tests = tags.filter(({ numbers }) => numbers.includes(number))
    return tests.map(({ file, name }) => `${link(file, file.split('/').at(-1) ?? file)}: ${inCell(name)}`).join('<br>')
  }
  const rows = requirements.map(([number, level, title]) => `| V${number} | ${level} | ${title} | ${shownBy(number)} |`)
  const count = (level: number) => {
    const those = requirements.filter(([number, one]) => one === level && notApplicable[number] === undefined)
    const met = those.filter(([number]) => notMet[number] === undefined)
    return `${met.length} of the ${those.length} requirements of level ${level} that apply are met`
  }
  const foreign = Object.entries(foreignChapters).map(([chapter, why]) => `${chapter} (${why})`)
  return `<!-- ${origin} -->

# OWASP ASVS 5.0.0, levels 1 and 2

${count(1)}, and ${count(2)}. Each has the test that shows it, the document where it asks for one, or the reason why it is not met.

Numbers are those of version 5.0.0; what a requirement asks is said in our own words, and shorter: read the standard for what it
says. Left out as a whole: ${foreign.join(', ')}. A test is named here by a comment above it (\`// asvs: 6.2.1, 6.2.4\`); the other
answers are in \`client/scripts/asvs-answers.ts\`.

| number | level | what it asks | shown by |
| --- | --- | --- | --- |
${rows.join('\n')}
`
}
