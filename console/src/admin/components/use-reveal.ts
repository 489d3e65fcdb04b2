import { useIsHere } from '@gatehouse/plugin-kit/console'
import { useNotify } from 'react-admin'

/** Time to read it, for somebody who is busy elsewhere. */
const lostMs = 20_000

/** Shows a secret that the server gives only once. Whoever has left the page meanwhile is told what was lost. */
export function useReveal<T>(show: (secret: T) => void): (secret: T, lost: string) => void {
  const notify = useNotify()
  const isHere = useIsHere()
  return (secret, lost) => {
    if (isHere()) show(secret)
    else notify(lost, { type: 'warning', autoHideDuration: lostMs })
  }
}
