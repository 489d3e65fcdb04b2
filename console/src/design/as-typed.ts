/** For names, passwords and codes: a phone would begin them with a capital letter, and correct them. */
export const asTyped = { autoCapitalize: 'none', autoCorrect: 'off', spellCheck: false }
