import { useRedirect } from 'react-admin'
import { useIsMounted } from './mounted.ts'

let isLeaving = false

/** Whether somebody has agreed to leave this page. The router takes a moment to do it, and an answer may come meanwhile. */
export const setLeaving = (now: boolean): void => {
  isLeaving = now
}

/** Opens the page that comes next once something was sent: `goOn('/roles/3')`. Whoever has left this one meanwhile stays where they are. */
export function useGoOn(): (path: string) => void {
  const redirect = useRedirect()
  const isMounted = useIsMounted()
  return (path) => {
    if (isMounted() && !isLeaving) redirect(path)
  }
}
