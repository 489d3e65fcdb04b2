/**
 * A hash that is typed into the address bar makes an entry in the browser's history without the number that the router gives to
 * its own. Without it the router cannot go back, and so asks nothing before it gives up unsaved changes. Called before the router
 * is made, which listens, too.
 *
 * @returns what has to be called whenever the router has gone somewhere.
 */
export function numberTyped(): () => void {
  let at = 0
  const note = () => {
    at = history.state?.idx ?? at
  }
  addEventListener('popstate', () => {
    if (history.state === null) history.replaceState({ idx: at + 1 }, '')
    else note()
  })
  return note
}
