import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { useFormState } from 'react-hook-form'

/**
 * The fields of a form that is over once it was sent, such as one that creates something: nothing can be typed meanwhile, as
 * what comes next would not have it. Where it was refused, the cursor is back where it was.
 */
export function LockedWhileSent({ children }: { children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null)
  const { isSubmitting } = useFormState()
  useLayoutEffect(() => {
    const focused = document.activeElement
    if (!isSubmitting || !(focused instanceof HTMLElement) || place.current?.contains(focused) !== true) return
    return () => {
      if (document.activeElement === document.body) focused.focus({ preventScroll: true })
    }
  }, [isSubmitting])
  return (
    <div ref={place} inert={isSubmitting}>
      {children}
    </div>
  )
}
