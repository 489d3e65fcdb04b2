import type { AnnouncementsHost } from './shape.ts'

/** Enough for recipients to recognise their address, too little for a stranger who found the link: `a•••@e•••.com`. */
function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  const initial = (text: string) => `${[...text][0] ?? ''}•••`
  return `${initial(email.slice(0, at))}@${initial(domain)}${dot > 0 ? domain.slice(dot) : ''}`
}

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

type Installation = Pick<AnnouncementsHost, 'serviceName' | 'publicUrl'>

/** The title is text; the content is HTML. */
const page = ({ serviceName, publicUrl }: Installation, title: string, content: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title} · ${escapeHtml(serviceName)}</title>
<style>
:root { color-scheme: light dark; }
body { margin: 0; padding: 16px; background: Canvas; color: CanvasText; font: 1rem/1.5 system-ui, sans-serif; }
a { color: LinkText; padding-block: 0.75rem; }
main { max-width: 480px; margin: 10vh auto 0; overflow-wrap: anywhere; }
h1 { font-size: 1.375rem; line-height: 1.3; }
button { padding: 12px 20px; border: 0; border-radius: 6px; background: #1d4ed8; color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
</style>
</head>
<body><main>
<p>${escapeHtml(serviceName)}</p>
<h1>${title}</h1>
${content}
<p><a href="${escapeHtml(publicUrl)}/login">Sign in</a></p>
</main></body>
</html>
`

/** Asks first: programs that follow every link in a mail must not unsubscribe anybody. */
export const askPage = (host: Installation, email: string): string =>
  page(
    host,
    'Get no more announcements by mail?',
    `<p>This is about announcements to <strong>${escapeHtml(maskEmail(email))}</strong>. Other mail, about your account, still comes.</p>
<form method="post"><button type="submit">Unsubscribe</button></form>`,
  )

export const donePage = (host: Installation, email: string): string =>
  page(
    host,
    'You are unsubscribed',
    `<p><strong>${escapeHtml(maskEmail(email))}</strong> gets no more announcements by mail. You can change this at any time once you are signed in.</p>`,
  )

export const errorPage =
  (host: Installation) =>
  ({ status, message }: { status: number; message: string }): string =>
    status === 404
      ? page(host, 'This link does not work', '<p>It is incomplete, or the account no longer exists.</p>')
      : page(host, 'Please try again', `<p>${escapeHtml(message)}</p>`)
