import { Parser } from 'htmlparser2'
import { describe, expect, inject, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'
import { xssVectors } from './testing/xss-vectors.ts'

/** What a rendered body may contain, stated here again independently of the sanitiser's own list. */
const allowed: Record<string, string[]> = {
  a: ['href', 'title', 'rel'],
  img: ['src', 'alt', 'title', 'loading', 'referrerpolicy'],
  ol: ['start'],
  th: ['align'],
  td: ['align'],
  p: [],
  br: [],
  hr: [],
  h1: [],
  h2: [],
  h3: [],
  h4: [],
  h5: [],
  h6: [],
  blockquote: [],
  ul: [],
  li: [],
  pre: [],
  code: [],
  em: [],
  strong: [],
  table: [],
  thead: [],
  tbody: [],
  tr: [],
}
const addressOf: Record<string, RegExp> = { href: /^(https?:\/\/|mailto:)/i, src: /^https?:\/\//i }

/** Everything in some HTML that is not allowed. */
function faultsIn(html: string): string[] {
  const faults: string[] = []
  const parser = new Parser({
    onopentag: (tag, attributes) => {
      if (allowed[tag] === undefined) faults.push(`<${tag}>`)
      for (const [name, value] of Object.entries(attributes)) {
        if (!allowed[tag]?.includes(name)) faults.push(`<${tag} ${name}>`)
        if (addressOf[name]?.test(value) === false || (name in addressOf && !URL.canParse(value))) faults.push(value)
      }
    },
    oncomment: (text) => void faults.push(`<!--${text}`),
    onprocessinginstruction: (_, text) => void faults.push(`<${text}`),
  })
  parser.end(html)
  return faults
}

// No database is involved, so one run is enough.
describe.runIf(inject('postgresUrl') === null)('Markdown', () => {
  it.each([
    ['a *b* **c** `d`', '<p>a <em>b</em> <strong>c</strong> <code>d</code></p>'],
    ['# T\n\n- a\n- b\n\n3. c', '<h1>T</h1>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n<ol start="3">\n<li>c</li>\n</ol>'],
    [
      '[a](https://b.example/?c=d&e "t")',
      '<p><a href="https://b.example/?c=d&amp;e" title="t" rel="noopener noreferrer nofollow">a</a></p>',
    ],
    [
      '<mailto:a@b.example>',
      '<p><a href="mailto:a@b.example" rel="noopener noreferrer nofollow">mailto:a@b.example</a></p>',
    ],
    ['[a](/users) [b](#c) [d](//e)', '<p>[a](/users) [b](#c) [d](//e)</p>'],
    [
      '![a](https://b.example/c.png)',
      '<p><img src="https://b.example/c.png" alt="a" loading="lazy" referrerpolicy="no-referrer" /></p>',
    ],
    ['![a](mailto:b@c.example)', '<p></p>'],
    [
      '| a | b |\n|:-:|---|\n| 1 | 2 |',
      '<table>\n<thead>\n<tr>\n<th align="center">a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td align="center">1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
    ],
    ['<b>a</b> & "c" \'d\'', '<p>&lt;b&gt;a&lt;/b&gt; &amp; "c" \'d\'</p>'],
    ['```js\n<a>\n```', '<pre><code>&lt;a&gt;\n</code></pre>'],
  ])('becomes HTML: %j', (body, html) => {
    expect(renderMarkdown(body)?.trim()).toBe(html)
  })

  // asvs: 1.3.1, 1.3.5
  it(`lets none of ${xssVectors.length} cross-site-scripting vectors through`, () => {
    expect(xssVectors.length).toBeGreaterThanOrEqual(1000)
    const faults = xssVectors.flatMap((vector) =>
      faultsIn(renderMarkdown(vector) ?? '').map((fault) => [vector, fault]),
    )
    expect(faults).toEqual([])
    // The check itself finds what it looks for.
    expect(faultsIn('<img src="javascript:alert(1)" onerror=a><script></script><!-- -->')).toHaveLength(4)
  })

  const fill = (part: string, length = 20_000) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
  const table = (columns: number, row: string) => {
    const head = `${'|a'.repeat(columns)}\n${'|-'.repeat(columns)}\n`
    return head + fill(row, 20_000 - head.length)
  }
  const uses = (definition: string, use: string) => `${definition}\n\n${fill(use, 19_998 - definition.length)}`
  it.each([
    ...[
      '1) a\n',
      '1.\n',
      '-\n',
      '>a\n\n',
      '> - >',
      '`a',
      'a**b',
      '*a ',
      '_a*',
      '__a',
      '[',
      '![',
      '[a](',
      '](',
      '![[a](b)](c)',
    ],
    ...[
      'a\n=\n',
      '<',
      '&',
      '"',
      '\\\n',
      '<a@b.c>',
      '<http://a>',
      '[a](http://ü)',
      '<!--',
      '&#',
      '# \n',
      '`',
      '😀',
      'ﷺ',
      ' ',
      '|-',
    ],
    ...['> '.repeat(19), '- '.repeat(9)].map((nested) => `${nested}a\n`),
    ...[`${fill('[', 10_000)}${fill(']', 10_000)}`, `${fill('*a', 10_000)}${fill('a*', 10_000)}`].flat(),
    ...[table(2, 'a\n'), table(50, '|\n'), table(500, 'a\n'), table(4000, '|a\n'), table(40, 'a\r')],
    ...[uses(`[a]: http://${'b'.repeat(5000)}`, '[a]'), uses(`[a]: http://b "${'<'.repeat(500)}"`, '![a]')],
    ...[uses('[a]: http://bcdefghij', '[a]'), '[a](http://漢字üé'.repeat(20), `[a](http://${'üé漢'.repeat(5000)})`],
  ])('renders the longest hostile body in less than 250 ms of a core: %#', (part) => {
    const body = [...part].length < 1000 ? [...fill(part, 40_000)].slice(0, 20_000).join('') : part
    const times = Array.from({ length: 3 }, () => {
      const start = process.threadCpuUsage()
      expect((renderMarkdown(body) ?? '').length).toBeLessThan(500_000)
      const { user, system } = process.threadCpuUsage(start)
      return (user + system) / 1000
    })
    expect(Math.min(...times)).toBeLessThan(250)
  })

  it('refuses a body that would render to a disproportionately large page', () => {
    expect(renderMarkdown(table(50, '|\n'))).toBeUndefined()
    expect(renderMarkdown(uses(`[a]: http://${'b'.repeat(5000)}`, '[a]'))).toBeUndefined()
    expect(renderMarkdown(`| a | b |\n|---|---|\n${fill('| 123 | 45 |\n', 19_000)}`)).toBeDefined()
  })
})
