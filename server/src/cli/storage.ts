import { adoptFolder } from '../features/avatar-files/storage-folder.ts'
import { withExisting } from './open.ts'
import { printLine } from './output.ts'

/** Makes the configured folder the one with the pictures of the database. */
export async function adoptStorageCommand(): Promise<void> {
  await withExisting(async ({ unguarded, config }) => {
    await adoptFolder(unguarded, config)
    printLine('The folder was adopted: nodes that share it can start.')
  })
}
