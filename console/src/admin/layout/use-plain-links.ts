import { useEffect } from 'react'
import { useNavigate } from 'react-router'

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey

/**
 * Follows links that are not the router's, as plugins write them: `<a href="#/roles">`. The browser would go past the router, and
 * so past its question about unsaved changes.
 */
export function usePlainLinks(): void {
  const navigate = useNavigate()
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="#/"]:not([target])') : null
      if (link === null || event.defaultPrevented || !isPlain(event)) return // the router's own links prevent the default
      event.preventDefault()
      navigate(link.getAttribute('href')?.slice(1) ?? '/')
    }
    document.addEventListener('click', follow)
    return () => document.removeEventListener('click', follow)
  }, [navigate])
}
