import { useEffect } from 'react'

/** What the list of keys shows. */
export const keyList: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl K', '⌘ K'], does: 'Go anywhere, do anything, find a user' },
  { keys: ['/'], does: 'Search this list' },
  { keys: ['j'], does: 'Next row' },
  { keys: ['k'], does: 'Previous row' },
  { keys: ['Enter'], does: 'Open the row' },
  { keys: ['b'], does: 'Go to the buttons for the selected users' },
  { keys: ['z'], does: 'Undo, while a notification offers it' },
  { keys: ['?'], does: 'Show these keys' },
]

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, [role=textbox], input:not([type=checkbox], [type=radio])'))

const isInDialog = (): boolean => document.querySelector('[role=dialog], [role=menu], [role=listbox]') !== null

/** While a form is sent, what is typed on in its fields goes nowhere: nor is it meant for the page. */
const isLocked = (): boolean => document.querySelector('form [inert]') !== null

/** The link that each row of a list leads by, in the order of the list. */
const rowLinks = (): HTMLElement[] =>
  [...document.querySelectorAll('main tbody tr, main li')].flatMap(
    (row) => row.querySelector<HTMLElement>('a[href]') ?? [],
  )

/** Moves the focus by one row; Enter then follows the link, as everywhere. */
function moveBy(step: 1 | -1): boolean {
  const links = rowLinks()
  const at = links.findIndex((link) => link.closest('tr, li')?.contains(document.activeElement) === true)
  const next = links[at < 0 ? (step === 1 ? 0 : links.length - 1) : at + step]
  next?.focus()
  next?.closest('tr, li')?.scrollIntoView({ block: 'nearest' })
  return links.length > 0
}

function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(
    'main input[type=search], main [role=search] input, main input',
  )
  field?.focus()
  field?.select()
  return field !== null
}

/** They stand after the list: from a row it would be a long way. */
function focusSelection(): boolean {
  const button = document.querySelector<HTMLElement>('[aria-label="Selected users"] button')
  button?.focus()
  return button !== null
}

/** A notification is at the end of the page, and is gone in seconds. */
function undo(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>('[aria-label=Notifications] button')].at(-1)
  button?.click()
  return button !== undefined
}

interface Actions {
  readonly openPalette: () => void
  readonly openHelp: () => void
}

/** The keys that work on every page. A letter does nothing while somebody types, or where a dialog is open. */
export function useKeys({ openPalette, openHelp }: Actions): void {
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return
      if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        openPalette()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (isInDialog() || isLocked()) return
      const actions: Record<string, () => boolean> = {
        '/': focusSearch,
        '?': () => {
          openHelp()
          return true
        },
        j: () => moveBy(1),
        k: () => moveBy(-1),
        b: focusSelection,
        z: undo,
      }
      if (actions[event.key]?.() === true) event.preventDefault()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [openPalette, openHelp])
}
