import MarkdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'

/** Quotes and lists that are nested deeper than this are cut: nobody reads them, and each level costs time. */
const maxNesting = 20
const linkSchemes = ['http:', 'https:', 'mailto:']
const imageSchemes = ['http:', 'https:']

const markdown = new MarkdownIt('commonmark', { html: false, maxNesting }).enable('table')

/** An absolute address with one of our schemes, as a browser parses it: relative ones do not work in a mail. */
function isAllowed(address: string, schemes: readonly string[]): boolean {
  const url = URL.parse(address)
  if (url === null || !schemes.includes(url.protocol)) return false
  return url.protocol === 'mailto:' || /^https?:\/\//i.test(address)
}
markdown.validateLink = (address) => isAllowed(address, linkSchemes)

/** Alignment as an attribute: a style would need `unsafe-inline` in the console, and mail programs drop it. */
for (const rule of ['th_open', 'td_open'] as const) {
  markdown.renderer.rules[rule] = (tokens, index) => {
    const token = tokens[index] as (typeof tokens)[number]
    const align = /^text-align:(left|center|right)$/.exec(String(token.attrGet('style')))?.[1]
    return `<${token.tag}${align === undefined ? '' : ` align="${align}"`}>`
  }
}

const sanitizer: sanitizeHtml.IOptions = {
  allowedTags: [
    ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'ul', 'ol', 'li', 'pre', 'code', 'em'],
    ...['strong', 'a', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  allowedAttributes: {
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'title', 'loading', 'referrerpolicy'],
    ol: ['start'],
    th: ['align'],
    td: ['align'],
  },
  allowedSchemes: ['http', 'https', 'mailto'],
  allowedSchemesByTag: { img: ['http', 'https'] },
  allowProtocolRelative: false,
  transformTags: {
    a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer nofollow' }),
    img: sanitizeHtml.simpleTransform('img', { loading: 'lazy', referrerpolicy: 'no-referrer' }),
  },
  exclusiveFilter: ({ tag, attribs }) => tag === 'img' && !isAllowed(attribs.src ?? '', imageSchemes),
}

/** Limits for hostile bodies: rows that a parser fills up with empty cells, or a long address used a thousand times. */
const maxCells = 10_000
const maxAddressLength = 100_000
const maxHtmlLength = 250_000

/** The second line of a table, possibly within quotes. */
const delimiterRow = /^[\t >]*[|:-][|:\t -]*$/

/** The maximum number of cells that tables could have: a table ends at an empty line, and has as many columns as its delimiter row. */
function countCells(body: string): number {
  let cells = 0
  for (const block of body.replaceAll(/\r\n?/g, '\n').split(/\n[\t >]*\n/)) {
    const lines = block.split('\n')
    const columns = lines.map((line) => (line.includes('|') && delimiterRow.test(line) ? line.split('|').length : 0))
    cells += lines.length * columns.reduce((most, count) => Math.max(most, count), 0)
  }
  return cells
}

type Token = ReturnType<typeof markdown.parse>[number]

/** A reference is defined once and used often: its address and title are written out at each use. */
const addressLengthOf = (tokens: readonly Token[]): number =>
  tokens.reduce((sum, { attrs, children }) => {
    const own = (attrs ?? []).reduce((length, [, value]) => length + String(value).length, 0)
    return sum + own + addressLengthOf(children ?? [])
  }, 0)

/**
 * The body as HTML that is safe to show anywhere: CommonMark and tables, no HTML of the author, then an allow-list.
 * Undefined for a body that would render to a disproportionately large page. Takes up to 115 ms, so it runs in a thread.
 */
export function renderMarkdown(body: string): string | undefined {
  if (countCells(body) > maxCells) return undefined
  const references = {}
  const tokens = markdown.parse(body, references)
  if (addressLengthOf(tokens) > maxAddressLength) return undefined
  const html = markdown.renderer.render(tokens, markdown.options, references)
  return html.length > maxHtmlLength ? undefined : sanitizeHtml(html, sanitizer)
}
