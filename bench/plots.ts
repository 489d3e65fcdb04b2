import type { Name } from './contenders.ts'
import { find, type Size } from './results.ts'

/* Plots as plain SVG, readable on light and dark backgrounds. */

const colours: Partial<Record<Name, readonly [light: string, dark: string]>> = {
  gatehouse: ['#2a78d6', '#3987e5'],
  bare: ['#7d7c78', '#9b9a95'],
  'better-auth': ['#eb6834', '#d95926'],
  'gatehouse-pg': ['#1baf7a', '#199e70'],
  'bare-pg': ['#4a3aa7', '#9085e9'],
}
/** No variables: small renderers do not support them. */
const colourRules = (mode: 0 | 1): string =>
  Object.entries(colours)
    .map(([name, colour]) => `.${name} .line { stroke: ${colour[mode]} } .${name} .mark { fill: ${colour[mode]} }`)
    .join('\n  ')

const style = `<style>
  text { font: 12px system-ui, sans-serif; fill: #52514e }
  .title { font-size: 15px; font-weight: 600; fill: #0b0b0b }
  .panel { font-weight: 600; fill: #0b0b0b }
  .back { fill: #fcfcfb } .grid { stroke: #e4e3df } .ring { stroke: #fcfcfb; stroke-width: 1.5 }
  .line { fill: none; stroke-width: 2 } .bare .line, .bare-pg .line { stroke-dasharray: 5 4 }
  ${colourRules(0)}
  @media (prefers-color-scheme: dark) {
  text { fill: #c3c2b7 } .title, .panel { fill: #ffffff }
  .back { fill: #1a1a19 } .grid { stroke: #33332f } .ring { stroke: #1a1a19 }
  ${colourRules(1)}
  }
</style>`

const svg = (width: number, height: number, title: string, content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}">
${style}
<rect class="back" width="${width}" height="${height}" rx="6"/>
<text class="title" x="20" y="28">${title}</text>
${content}
</svg>
`

const text = (x: number, y: number, content: string, anchor = 'start', name = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${name && ` class="${name}"`}>${content}</text>`
const short = (value: number): string =>
  value >= 1e6
    ? `${value / 1e6} M`
    : value >= 1e3
      ? `${+(value / 1e3).toFixed(value >= 1e4 ? 0 : 1)} k`
      : String(Math.round(value))

const panels = [
  ['by-id', '', 'by id'],
  ['list', 'last_name', 'list of 20 by last name'],
  ['narrow', '', 'narrow search'],
  ['broad', '', 'broad search (one connection)'],
] as const
const brief: Record<Name, string> = {
  gatehouse: 'Gatehouse, SQLite',
  bare: 'bare, SQLite',
  'better-auth': 'better-auth, SQLite',
  'gatehouse-pg': 'Gatehouse, PostgreSQL',
  'bare-pg': 'bare, PostgreSQL',
  'kysely-pg': 'Kysely, PostgreSQL',
  'node-http': 'node:http',
}
const lines: readonly Name[] = ['gatehouse', 'bare', 'better-auth', 'gatehouse-pg', 'bare-pg']

/** Answers a second by the number of users, both on logarithmic scales. */
export function ratePlot(sizes: readonly Size[]): string {
  const [width, height] = [300, 220]
  const [top, bottom] = [5, 0] // powers of ten
  const parts = panels.map(([of, variant, title], index) => {
    const left = 70 + (index % 2) * (width + 90)
    const above = 95 + Math.floor(index / 2) * (height + 75)
    const x = (at: number) => left + (sizes.length < 2 ? 0.5 : at / (sizes.length - 1)) * width
    const y = (rate: number) => above + ((top - Math.log10(Math.max(rate, 1))) / (top - bottom)) * height
    const grid = Array.from({ length: top - bottom + 1 }, (_, power) => {
      const at = y(10 ** (bottom + power))
      return `<line class="grid" x1="${left}" x2="${left + width}" y1="${at}" y2="${at}"/>${text(left - 8, at + 4, short(10 ** (bottom + power)), 'end')}`
    })
    const ticks = sizes.map(({ users }, at) => text(x(at), above + height + 20, short(users), 'middle'))
    const drawn = lines.map((name) => {
      const points = sizes.flatMap((size, at) => {
        const rate = find(size, of, variant, name)?.perSecond
        return rate === undefined ? [] : [[x(at), y(rate), rate] as const]
      })
      const dots = points.map(
        ([px, py, rate]) =>
          `<circle class="mark ring" cx="${px.toFixed(1)}" cy="${py.toFixed(1)}" r="4.5"><title>${brief[name]}: ${short(rate)}/s</title></circle>`,
      )
      const path = points.map(([px, py]) => `${px.toFixed(1)},${py.toFixed(1)}`).join(' ')
      return `<g class="${name}"><polyline class="line" points="${path}"/>${dots.join('')}</g>`
    })
    return [text(left, above - 14, title, 'start', 'panel'), ...grid, ...ticks, ...drawn].join('\n')
  })
  const legend = lines.map((name, index) => {
    const x = 20 + ([0, 150, 260, 415, 580][index] ?? 0)
    return `<g class="${name}"><rect class="mark" x="${x}" y="43" width="12" height="12" rx="3"/></g>${text(x + 17, 54, brief[name])}`
  })
  return svg(800, 700, 'Answers a second by the number of users', [...legend, ...parts].join('\n'))
}

const conditions = [
  ['meanwhile', 'alone', 'alone'],
  ['meanwhile', 'broad searches', 'under broad searches'],
  ['meanwhile', 'two-character searches', 'under two-character searches'],
  ['login-flood', 'flood', 'under a flood of logins'],
] as const

/** The 99th percentile of reads by id at the largest size, alone and beside each stream. */
export function latencyPlot(sizes: readonly Size[]): string {
  const size = sizes.at(-1)
  const [left, width] = [210, 480]
  const scale = (ms: number) => (Math.log10(Math.min(1000, Math.max(ms, 0.1)) / 0.1) / 4) * width // 0.1 ms to 1 s
  const ends = conditions.length * 52 + 75
  const grid = [0.1, 1, 10, 100, 1000].map((ms) => {
    const x = left + scale(ms)
    return `<line class="grid" x1="${x}" x2="${x}" y1="70" y2="${ends}"/>${text(x, ends + 18, `${ms} ms`, 'middle')}`
  })
  const bars = conditions.flatMap(([of, variant, title], index) => {
    const above = 80 + index * 52
    const two = (['gatehouse', 'gatehouse-pg'] as const).map((name, at) => {
      const p99 = find(size, of, variant, name)?.p99
      if (p99 === undefined) return ''
      const y = above + at * 20
      const length = scale(p99)
      return `<g class="${name}"><rect class="mark" x="${left}" y="${y}" width="${length.toFixed(1)}" height="16" rx="4"/></g>${text(left + length + 6, y + 13, `${p99.toFixed(p99 < 10 ? 1 : 0)} ms`)}`
    })
    return [text(left - 10, above + 22, title, 'end'), ...two]
  })
  const legend = (['gatehouse', 'gatehouse-pg'] as const).map(
    (name, index) =>
      `<g class="${name}"><rect class="mark" x="${20 + index * 180}" y="43" width="12" height="12" rx="3"/></g>${text(37 + index * 180, 54, brief[name])}`,
  )
  const title = `Reads by id with ${short(size?.users ?? 0)} users: 99 % take no longer than`
  return svg(780, ends + 35, title, [...legend, ...grid, ...bars].join('\n'))
}
