import { useEffect, useState } from 'react'

/** When work takes longer than this, its dialog can be closed. */
const slowMs = 5_000

/** Whether work that is running takes longer than usual. */
export function useIsSlow(isBusy: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isBusy) return
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isBusy])
  return isSlow
}
