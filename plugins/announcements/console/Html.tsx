import { Box, useCallback, useEffect, useMemo, useRef, useState, useTheme } from '@gatehouse/plugin-kit/console'

/** Of the page's policy, which the frame inherits. */
const nonce = (): string => document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.content ?? ''

function useStyles(): { css: string; mode: string } {
  const { palette, typography } = useTheme()
  const line = `1px solid ${palette.divider}`
  const css = `
    :root { color-scheme: ${palette.mode} }
    body { margin: 0; display: flow-root; color: ${palette.text.primary}; overflow-wrap: anywhere;
      font: 15px/1.6 ${typography.fontFamily}; -webkit-font-smoothing: antialiased }
    body > :first-child { margin-top: 0 } body > :last-child { margin-bottom: 0 }
    h1, h2, h3, h4, h5, h6 { line-height: 1.3; margin: 1.4em 0 .5em; font-weight: 650 }
    h1 { font-size: 1.4em } h2 { font-size: 1.2em } h3 { font-size: 1.07em } h4, h5, h6 { font-size: 1em }
    p, ul, ol, pre, blockquote, table { margin: 0 0 .9em } ul, ol { padding-left: 1.5em } li { margin: .2em 0 }
    a { color: ${palette.primary.main}; text-underline-offset: 3px }
    img { max-width: 100%; height: auto; border-radius: 6px }
    blockquote { margin-left: 0; padding-left: 1em; border-left: 3px solid ${palette.divider}; color: ${palette.text.secondary} }
    code { font: .9em ui-monospace, SFMono-Regular, Menlo, monospace; background: ${palette.action.hover}; padding: .1em .3em; border-radius: 4px }
    pre { background: ${palette.action.hover}; border: ${line}; border-radius: 6px; padding: .8em 1em; white-space: pre-wrap }
    pre code { background: none; padding: 0 }
    hr { border: 0; border-top: ${line}; margin: 1.5em 0 }
    table { border-collapse: collapse; display: block; overflow-x: auto }
    th, td { border: ${line}; padding: .35em .7em; text-align: left } th { font-weight: 600 }
    [align=center] { text-align: center } [align=right] { text-align: right }`
  return { css, mode: palette.mode }
}

/**
 * Shows HTML that the server has sanitised, and does not rely on that: the frame's sandbox allows no script, no form and no
 * navigation of the console, whatever stands in it. Links open a new tab. It is as high as what it shows.
 */
export function Html({ html, title, minHeight = 24 }: { html: string; title: string; minHeight?: number }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const latest = useRef(html)
  const observer = useRef<ResizeObserver>(undefined)
  const [height, setHeight] = useState(minHeight)
  const { css, mode } = useStyles()
  const page = useMemo(
    () =>
      `<!doctype html><html lang=""><head><base target="_blank"><style nonce="${nonce()}">${css}</style></head><body></body></html>`,
    [css],
  )

  const fill = useCallback(() => {
    const body = frame.current?.contentDocument?.body
    if (body == null) return
    body.innerHTML = latest.current
    observer.current?.disconnect()
    observer.current = new ResizeObserver(() => setHeight(Math.ceil(body.getBoundingClientRect().height)))
    observer.current.observe(body)
  }, [])
  useEffect(() => {
    latest.current = html
    fill()
  }, [html, fill])
  useEffect(() => () => observer.current?.disconnect(), [])

  return (
    <Box
      component="iframe"
      ref={frame}
      title={title}
      // Same origin, so that it can be measured and filled; without scripts nothing in it can make use of that.
      sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      srcDoc={page}
      onLoad={fill}
      sx={{ display: 'block', width: '100%', border: 0, height: Math.max(height, minHeight), colorScheme: mode }}
    />
  )
}
