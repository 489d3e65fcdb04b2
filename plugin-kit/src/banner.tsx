import { useLayoutEffect, useState } from 'react'

/** How long a page waits for its banners before it is shown without them. */
export const bannerWaitMs = 1_000

/** What a banner draws while it does not know yet whether it is needed: the page below it is shown once it knows. */
export const BannerPending = () => <span data-banner="pending" hidden />

/**
 * Whether a banner may be shown: only where that was known when its page began, because nothing moves on a page that is shown.
 * The console draws a banner anew on each page.
 */
export function useBannerRoom(isPending: boolean, isNeeded: boolean): boolean {
  const [begunMs, setBegun] = useState(Number.POSITIVE_INFINITY)
  // Once it is drawn, which may take a phone a second: the page waits from then on.
  useLayoutEffect(() => setBegun(Date.now()), [])
  const [hasRoom, setRoom] = useState<boolean>()
  if (hasRoom === undefined && !isPending) setRoom(isNeeded && Date.now() - begunMs < bannerWaitMs)
  if (hasRoom === true && !isNeeded) setRoom(false)
  return hasRoom === true
}
