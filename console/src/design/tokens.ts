/** The colours, shapes and fonts of the console and the public pages: the one place where they are decided. */

const light = {
  canvas: '#f7f7f8',
  surface: '#ffffff',
  raised: '#ffffff',
  hover: '#f1f1f4',
  border: '#e4e4e9',
  borderStrong: '#c9c9d2',
  /** The edge of a field: 3:1 against the surface (WCAG 1.4.11). */
  field: '#8b8b9a',
  text: '#16161d',
  muted: '#5d5d6b',
  accent: '#4a4fd8',
  accentHover: '#3d41bd',
  accentSoft: '#eeeffd',
  onAccent: '#ffffff',
  danger: '#c0262d',
  dangerSoft: '#fdeeee',
  success: '#14754a',
  successSoft: '#e8f6ef',
  warning: '#8f5100',
  warningSoft: '#fdf4e3',
  focus: '#4a4fd8',
}

const dark: typeof light = {
  canvas: '#0e0e12',
  surface: '#16161c',
  raised: '#1d1d25',
  hover: '#1f1f28',
  border: '#292933',
  borderStrong: '#3d3d4a',
  field: '#6f6f80',
  text: '#ededf2',
  muted: '#a2a2b2',
  accent: '#9195ff',
  accentHover: '#a9acff',
  accentSoft: '#22233f',
  onAccent: '#0f0f1e',
  danger: '#ff7f82',
  dangerSoft: '#341a1d',
  success: '#5fcf9c',
  successSoft: '#14291f',
  warning: '#f0b45c',
  warningSoft: '#30240f',
  focus: '#9195ff',
}

export const palettes = { light, dark }
export type Palette = typeof light

export const radius = 8
export const fontFamily =
  'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif'
export const monoFamily = 'ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "Liberation Mono", monospace'

const variables = (palette: Palette): string =>
  Object.entries(palette)
    .map(([name, value]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}:${value}`)
    .join(';')

/** The tokens as CSS variables: `--accent-soft`. The system decides, unless the page has `data-theme`. */
export const tokensCss = (): string =>
  [
    `:root{color-scheme:light;${variables(light)};--radius:${radius}px;--font:${fontFamily};--mono:${monoFamily}}`,
    `@media(prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${variables(dark)}}}`,
    `:root[data-theme=dark]{color-scheme:dark;${variables(dark)}}`,
  ].join('\n')

/** Behind the white initials of users without a picture: each 4.5:1 against white. */
export const faceColors = [
  '#4a4fd8',
  '#0b6b7d',
  '#1f7237',
  '#a61e4d',
  '#862e9c',
  '#96480a',
  '#35578f',
  '#6b5310',
] as const
