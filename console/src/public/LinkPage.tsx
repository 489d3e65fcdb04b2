import { type ReactNode, useEffect, useState } from 'react'
import type { ApiError } from '../api/client.ts'
import { Frame } from './parts.tsx'
import { useHanded } from './router.ts'

interface Props<Preview> {
  /** Asks what the token of the link is for; the same function each time. */
  readonly load: (token: string) => Promise<{ data: Preview }>
  /** What stands there where the link does not work (any more). */
  readonly invalid: ReactNode
  readonly children: (token: string, preview: Preview) => ReactNode
}

/** Where a link from a mail leads, once it is known what its token is for. */
export function LinkPage<Preview>({ load, invalid, children }: Props<Preview>) {
  const { token } = useHanded()
  const [preview, setPreview] = useState<Preview>()
  const [error, setError] = useState<ApiError>()
  useEffect(() => {
    if (token !== undefined) load(token).then(({ data }) => setPreview(data), setError)
  }, [token, load])
  if (token === undefined || error?.status === 400 || error?.status === 422) return invalid
  if (error !== undefined) {
    return (
      <Frame title="Please try again" lead={<p>{error.message}</p>}>
        <button type="button" className="primary" onClick={() => location.reload()}>
          Try again
        </button>
      </Frame>
    )
  }
  if (preview === undefined) return null // the page says “Loading…” by itself (starting.css)
  return children(token, preview)
}
