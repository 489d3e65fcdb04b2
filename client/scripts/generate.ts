import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { createOpenApiDocument } from '../../server/src/cli/openapi.ts'
import { errorCatalogue } from '../../server/src/core/errors.ts'
import { writeAsvs } from './asvs.ts'
import { writeEvents, writePermissions } from './reference.ts'
import { origin, writeTable } from './tables.ts'

/**
 * Writes what is derived from the server with the plugins that are listed by default: the client's types and the lists
 * of error codes, events and permissions; and from the tests: which requirements of a standard they show.
 * With `--check` it writes nothing, and fails when what is on the disk is not what it would write.
 */

const root = join(import.meta.dirname, '../..')

/** As a client would read it. */
const document = JSON.parse(JSON.stringify(await createOpenApiDocument())) as OpenAPI3

async function writeTypes(): Promise<string> {
  const named = { rootTypes: true, rootTypesNoSchemaPrefix: true, rootTypesKeepCasing: true }
  const types = astToString(await openapiTS(document, named))
  const file = /(?<=\/\*\* Format: binary \*\/\s+file: )string/g
  const wholeFile = /(?<=requestBody: \{\s+content: \{\s+"text\/csv": )string(;\s+"application\/x-ndjson": )string/g
  const precise = types.replaceAll(file, 'Blob').replaceAll(wholeFile, 'string | Blob$1string | Blob')
  return `// ${origin}\n\n${precise}\n${writeErrorCodes()}`
}

/** A type of its own: the `code` of an error stays any text, because plugins have codes of their own. */
function writeErrorCodes(): string {
  const codes = [...errorCatalogue.keys(), 'unreadable_answer'].sort().map((code) => `  | '${code}'`)
  return `/** The codes of docs/errors.md, and the client's own. */\nexport type ErrorCode =\n${codes.join('\n')};\n`
}

function writeErrors(): string {
  const rows = [...errorCatalogue]
    .sort(([a, [one]], [b, [other]]) => one - other || (a < b ? -1 : 1))
    .map(([code, [status, message]]) => [String(status), `\`${code}\``, message.replaceAll('|', String.raw`\|`)])
  return `<!-- ${origin} -->

# Errors

Every error answer is \`{"message", "code"}\`. Programs go by \`code\`: it is stable, while a message may become clearer, or name
what was sent (\`Unknown sort "x". Allowed: …\`).

A 422 of fields also has \`errors\`, every failing field with its messages, and always the message \`The given data was invalid.\`. Its code
is \`validation_failed\`, or a more special one of this table where nothing else is wrong; that one's message stands at its field. A 422
that concerns no field has no \`errors\`. Some messages are more exact than the table: they name the method, or what to do.

${writeTable(['status', 'code', 'message'], rows)}
`
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

const outdated = Object.entries({
  'client/src/generated/api.ts': await writeTypes(),
  'docs/errors.md': writeErrors(),
  'docs/events.md': writeEvents(document),
  'docs/permissions.md': writePermissions(document),
  'docs/asvs.md': writeAsvs(root, 'Generated from tags in the tests by `npm run generate`: do not edit.'),
}).filter(([path, text]) => read(join(root, path)) !== text)

if (process.argv.includes('--check')) {
  for (const [path] of outdated) {
    console.error(`${relative(process.cwd(), join(root, path))} is not what the sources say: run npm run generate.`)
  }
  process.exitCode = outdated.length > 0 ? 1 : 0
} else {
  for (const [path, text] of outdated) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    console.log(`wrote ${relative(process.cwd(), join(root, path))}`)
  }
}
