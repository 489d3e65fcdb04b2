import { run } from './cli/run.ts'

// A reader may close the pipe early (`2>&1 | head`). The command still finishes and cleans up.
for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
const code = await run(process.argv)
// A pipe accepts 64 KiB at a time: exit only when everything has been written.
process.stdout.write('', () => process.exit(code))
