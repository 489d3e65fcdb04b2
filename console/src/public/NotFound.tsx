import { home } from '../api/address.ts'
import { Frame } from './parts.tsx'

/** A mistyped address. */
export const NotFound = () => (
  <Frame title="Page not found" lead={<p>There is nothing at this address. Check it for a typing mistake.</p>}>
    <a className="primary" href={home}>
      Go to the start page
    </a>
  </Frame>
)
