import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc') // for contexts that are made from here on

/** V8's own collector, as `node --expose-gc` shows it. */
export const collectGarbage: (options: object) => void = runInNewContext('gc')
