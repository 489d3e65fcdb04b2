import { useEffect } from 'react'

/** Where react-admin draws the title of the page. */
const placeId = 'react-admin-title'

/** Gives the browser's tab the title that stands in the bar: “Roles · Gatehouse”. */
export function usePageTitle(): void {
  useEffect(() => {
    const place = document.getElementById(placeId)
    if (place === null) return
    const show = () => {
      const title = place.textContent?.trim() ?? ''
      document.title = title === '' || title === 'Gatehouse' ? 'Gatehouse' : `${title} · Gatehouse`
    }
    show()
    const observer = new MutationObserver(show)
    observer.observe(place, { childList: true, characterData: true, subtree: true })
    return () => observer.disconnect()
  }, [])
}
