/** Filled in by the server where it answers a mistyped address, which may lie in any folder. */
const named = document.querySelector('meta[name=home]')?.getAttribute('content') ?? ''

/** The folder of our pages: `/`, or the path of the public URL. Every page of ours stands directly in it. */
export const home = named.startsWith('/') ? named : new URL('.', location.href).pathname

export const apiAddress = new URL('api', new URL(home, location.origin)).href

/**
 * Where to go after signing in: only ever a place of our own console. `next` comes from the address bar, so anybody can write
 * it into a link; whatever is not a hash of the console becomes its start page.
 */
export function safeNext(next: string | null): string {
  return next !== null && /^#\/[!-~]*$/.test(next) ? home + next : home
}

/** A public page that leads back to where we are. */
export function leadingBack(page: 'login' | 'add-factor'): string {
  const { hash } = location
  return hash.length > 2 ? `${home}${page}?next=${encodeURIComponent(hash)}` : home + page
}
