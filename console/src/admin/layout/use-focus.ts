import { useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** Gives the focus also to something that takes none by itself, for as long as it has it. */
function focusOn(place: Element | null): void {
  if (!(place instanceof HTMLElement)) return
  if (place.tabIndex < 0 && !place.hasAttribute('tabindex')) {
    place.tabIndex = -1
    place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true })
  }
  place.focus({ preventScroll: true })
}

const isLost = (): boolean => document.activeElement === null || document.activeElement === document.body

const main = (): HTMLElement | null => document.getElementById('main-content')

/** Another page begins at its top, and Tab at its content. On the way back the browser finds the place again. */
function useFocusOfPage(): void {
  const { pathname } = useLocation()
  const how = useNavigationType()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (how === 'REPLACE') return // a tab of the same page
    if (how === 'PUSH') scrollTo(0, 0)
    if (main()?.contains(document.activeElement) !== true) focusOn(main())
  }, [pathname, how])
}

/** What holds several things: one of them may go, and the next one is near. */
const holders = 'ul, tbody, section, main'

const mayHaveFocus = (one: Element): boolean => one.isConnected && !one.matches(':disabled')

/** What had the focus is still waited for: it was not given to anything else but its place, or the dialog around it. */
function isWaitedFor(one: Element): boolean {
  const dialog = one.closest('.MuiDialog-container')
  const at = document.activeElement
  return at === one.parentElement || (dialog !== null && (isLost() || at === dialog))
}

/**
 * Where what had the focus is removed (a row, the second of two dialogs, “Undo”), the browser has Tab begin at the top of the
 * page. It goes back to what had it before on the page itself; where that is gone as well, to what held it. A button that
 * cannot be used for a while (its form is on its way) hands it to its place, and gets it back.
 */
function useFocusOfLost(): void {
  useEffect(() => {
    let focused: Element | undefined
    let path: Element[] = []
    const waiting = new Set<Element>()
    const remember = ({ target }: FocusEvent) => {
      if (!(target instanceof Element)) return
      focused = target
      if (target.closest('#root') === null || target.closest('[aria-label=Notifications]') !== null) return
      path = []
      for (let one: Element | null = target; one !== null; one = one.parentElement) path.push(one)
    }
    const giveBack = () => {
      for (const one of waiting) {
        if (one.isConnected && one.matches(':disabled')) continue
        waiting.delete(one)
        if (isWaitedFor(one)) focusOn(one)
      }
    }
    const find = () => {
      giveBack()
      if (focused === undefined || mayHaveFocus(focused)) return
      if (!isLost() && document.activeElement !== focused) return
      if (focused.isConnected) {
        waiting.add(focused)
        focusOn(focused.parentElement)
        return
      }
      if (document.querySelector('.MuiModal-root') !== null) return // it keeps the focus to itself
      focused = undefined
      const places = path.filter((one, at) => one.isConnected && (at === 0 || one.matches(holders)))
      for (const place of places) if (isLost()) focusOn(place)
    }
    const observer = new MutationObserver(find)
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] })
    document.addEventListener('focusin', remember)
    return () => {
      observer.disconnect()
      document.removeEventListener('focusin', remember)
    }
  }, [])
}

/** Who uses the keyboard or listens to the page never has to begin again at its top. */
export function useFocus(): void {
  useFocusOfLost()
  useFocusOfPage()
}
