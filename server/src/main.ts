import { run } from './cli/run.ts'

process.stdout.on('error', () => {}) // who read it has gone (`| head`): there is nobody to tell
const code = await run(process.argv)
// A pipe takes 64 KiB at a time: leave when all that was written is through.
process.stdout.write('', () => process.exit(code))
