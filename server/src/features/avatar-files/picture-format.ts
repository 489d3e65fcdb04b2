/** Detects formats by their first bytes; `format` is sharp's name for it. */
const signatures: { format: string; matches: (bytes: Buffer) => boolean }[] = [
  { format: 'png', matches: (bytes) => bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')) },
  { format: 'jpeg', matches: (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) },
  { format: 'gif', matches: (bytes) => /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)) },
  { format: 'webp', matches: (bytes) => /^RIFF.{4}WEBP$/s.test(bytes.toString('latin1', 0, 12)) },
  { format: 'heif', matches: isAvif },
]

/** ISO/IEC 14496-12 §4.3: an `ftyp` box has a major brand, a version and compatible brands of four letters each. */
function isAvif(bytes: Buffer): boolean {
  if (bytes.toString('latin1', 4, 8) !== 'ftyp') return false
  const brands = bytes.toString('latin1', 8, Math.min(bytes.readUInt32BE(0), 256))
  return /^(?:.{4})*avi[fs]/s.test(brands)
}

/** The supported format that the content has, if any. */
export const formatOf = (bytes: Buffer): string | undefined => signatures.find(({ matches }) => matches(bytes))?.format
