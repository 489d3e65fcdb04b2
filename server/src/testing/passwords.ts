/**
 * A number of code points out of an alphabet, in an order without a pattern, so that nothing but the length of the password is
 * in question; the same ones for the same length.
 */
export function hardPassword(length: number, alphabet = 'Wq7!kühlzR-xßMt3'): string {
  const characters = [...alphabet]
  let state = 20_261_122
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return characters[Math.floor((state / 2_147_483_648) * characters.length)]
  }).join('')
}

/** Passwords as people choose them under rules of composition, which everybody who guesses tries first. */
export const easyPasswords = [
  'Passw0rd!',
  'Welcome2026!',
  'aaaaaaaa',
  'gatehouse',
  'Gatehouse2026!',
  'Summer-2026',
  'qwertzuiop1',
]
/** Phrases, and what generators make. */
export const fairPasswords = [
  'four horses at the gate',
  'lampe vor dem fenster',
  'kX9#mQ2z',
  'SCgkyTVutdg4pSxZuzfW',
  'пять лошадей у ворот',
]
