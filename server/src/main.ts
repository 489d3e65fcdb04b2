import { run } from './cli/run.ts'

// The reader has gone (`2>&1 | head`): there is nobody to tell, and what is being done is finished.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
const code = await run(process.argv)
// A pipe accepts 64 KiB at a time: exit only when everything has been written.
process.stdout.write('', () => process.exit(code))
