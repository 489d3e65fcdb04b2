import { useState } from 'react'

/** Copies a text, and says so. Where the browser lets no page copy (over plain HTTP), the text is there to be marked. */
export function CopyButton({ text, children }: { text: string; children: string }) {
  const [isCopied, setCopied] = useState(false)
  if (navigator.clipboard === undefined) return null
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <button type="button" className="secondary" onClick={copy}>
      <span aria-live="polite">{isCopied ? 'Copied' : children}</span>
    </button>
  )
}
