import Avatar from '@mui/material/Avatar'
import { faceColors } from '../../design/tokens.ts'

interface Person {
  readonly id: number
  readonly avatar: string
  readonly first_name?: string | null
  readonly last_name?: string | null
  readonly username?: string | null
  readonly email?: string
}

const letters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The first character as a reader sees it: an emoji of several code points is one. */
const firstOf = (text: string | null | undefined): string =>
  [...letters.segment((text ?? '').trim())][0]?.segment.toLocaleUpperCase() ?? ''

const initialsOf = ({ first_name, last_name, username, email }: Person): string =>
  firstOf(first_name) + firstOf(last_name) || firstOf(username) || firstOf(email)

const isDefault = (avatar: string): boolean => avatar.endsWith('/avatars/default.svg')

/** A user's picture; without one, their initials on a colour that stays the same. The name stands beside it. */
export const Face = ({ person, size }: { person: Person; size: number }) =>
  isDefault(person.avatar) ? (
    <Avatar
      aria-hidden
      sx={{
        width: size,
        height: size,
        fontSize: size * 0.4,
        fontWeight: 600,
        color: 'common.white',
        bgcolor: faceColors[person.id % faceColors.length],
      }}
    >
      {initialsOf(person)}
    </Avatar>
  ) : (
    <Avatar src={person.avatar} alt="" sx={{ width: size, height: size }} slotProps={{ img: { loading: 'lazy' } }} />
  )
