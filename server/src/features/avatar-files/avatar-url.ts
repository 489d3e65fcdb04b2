import type { Config } from '../../config.ts'

/** A text in SQL. */
const textIn = (text: string): string => `'${text.replaceAll("'", "''")}'`

/** The two squares of an uploaded picture, in pixels. */
export const avatarSizes = [512, 128] as const
export type AvatarSize = (typeof avatarSizes)[number]

/** `users.avatar` of an uploaded picture: the SHA-256 of its large square. Any other value is an external address. */
export const isAvatarKey = (avatar: string): boolean => /^[0-9a-f]{64}$/.test(avatar)

/** The name of a stored file. The name that the client sent is never used. */
export const avatarFile = (key: string, size: AvatarSize): string =>
  size === avatarSizes[0] ? `${key}.webp` : `${key}-${size}.webp`

export const isAvatarFile = (name: string): boolean => /^[0-9a-f]{64}(-128)?\.webp$/.test(name)

/** The absolute address of a user's picture. */
export function avatarUrl(avatar: string | null, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  if (avatar === null) return `${publicUrl}/avatars/default.svg`
  return isAvatarKey(avatar) ? `${publicUrl}/avatars/${avatarFile(avatar, 512)}` : avatar
}

/** The same in the SQL of SQLite; `isKey` is `isAvatarKey`. */
export function avatarUrlIn(column: string, config: Pick<Config, 'publicUrl'>): string {
  const isKey = `length(${column}) = 64 and ${column} not glob '*[^0-9a-f]*'`
  const anyKey = '0'.repeat(64)
  const own = avatarUrl(anyKey, config).split(anyKey).map(textIn).join(` || ${column} || `)
  return `case when ${column} is null then ${textIn(avatarUrl(null, config))} when ${isKey} then ${own} else ${column} end`
}
