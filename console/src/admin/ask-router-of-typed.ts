import { hasLeaveQuestion } from '@gatehouse/plugin-kit/console'
import type { createHashRouter } from 'react-router'

type Router = ReturnType<typeof createHashRouter>

/**
 * A hash that is typed into the address bar opens a page past the router, and so past its question about unsaved changes. Where
 * there is one to ask, the browser goes back, and the router opens the page. Called before the router is made: it listens, too.
 */
export function askRouterOfTyped(router: () => Router): void {
  addEventListener('popstate', (event) => {
    if (event.state !== null || !hasLeaveQuestion()) return
    event.stopImmediatePropagation()
    const typed = location.hash.slice(1)
    addEventListener('popstate', () => router().navigate(typed), { once: true })
    history.back()
  })
}
