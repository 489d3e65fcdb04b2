import { run } from './cli/run.ts'

process.stdout.on('error', () => {}) // the reader has gone (`| head`): there is nobody to tell
const code = await run(process.argv)
// A pipe accepts 64 KiB at a time: exit only when everything has been written.
process.stdout.write('', () => process.exit(code))
