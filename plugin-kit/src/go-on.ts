import { useRedirect } from 'react-admin'
import { useIsHere } from './here.ts'

/** Opens the page that comes next once something was sent: `goOn('/roles/3')`. Whoever has left this one meanwhile stays where they are. */
export function useGoOn(): (path: string) => void {
  const redirect = useRedirect()
  const isHere = useIsHere()
  return (path) => {
    if (isHere()) redirect(path)
  }
}
