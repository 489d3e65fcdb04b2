import { createSvgIcon } from '@gatehouse/plugin-kit/console'

const icon = (name: string, path: string) =>
  createSvgIcon(
    <path d={path} fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round" />,
    name,
  )

export const Megaphone = icon('Megaphone', 'M4 10v4h3l9 4.5v-13L7 10H4zM8 14.5 9.5 20H12l-1.3-4M19 9.5a4 4 0 0 1 0 5')
export const Bell = icon('Bell', 'M6 16.5V11a6 6 0 1 1 12 0v5.5l1.5 1.5h-15L6 16.5zM10 20.5a2 2 0 0 0 4 0')
export const Close = icon('Close', 'M6 6l12 12M18 6 6 18')
export const Back = icon('Back', 'M20 12H5M11 6l-6 6 6 6')
export const Plus = icon('Plus', 'M12 5v14M5 12h14')
export const Envelope = icon('Envelope', 'M3.5 6h17v12h-17V6zM4 6.5l8 6.5 8-6.5')

export const Bold = icon('Bold', 'M8 5h5a3.5 3.5 0 0 1 0 7H8V5zM8 12h6a3.5 3.5 0 0 1 0 7H8v-7z')
export const Italic = icon('Italic', 'M10 5h8M6 19h8M14.5 5l-5 14')
export const Heading = icon('Heading', 'M6 5v14M18 5v14M6 12h12')
export const Quote = icon('Quote', 'M5 5v14M9.5 8H20M9.5 12H20M9.5 16H16')
export const Bullets = icon('Bullets', 'M9.5 6H20M9.5 12H20M9.5 18H20M5 6h.01M5 12h.01M5 18h.01')
export const Numbers = icon(
  'Numbers',
  'M10.5 6H20M10.5 12H20M10.5 18H20M4.5 5 6 4v5M4.2 15.5c.5-1.2 2.6-.9 2.3.6-.2.8-1.2 1.5-2.3 2.9h2.6',
)
export const Chain = icon(
  'Chain',
  'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
)
export const Picture = icon('Picture', 'M4 5h16v14H4V5zM4 16l5-5 4 4 3-2.5 4 3.5M15.5 9h.01')
export const Code = icon('Code', 'M8.5 7 4 12l4.5 5M15.5 7l4.5 5-4.5 5')
export const Grid = icon('Table', 'M4 5h16v14H4V5zM4 10h16M4 14.5h16M10.5 5v14')
