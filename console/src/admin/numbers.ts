const digits = new Intl.NumberFormat('en')

/** 45210 → “45,210”. */
export const formatNumber = (number: number): string => digits.format(number)

/** “1 user”, “45,210 users”. */
export const people = (count: number): string => (count === 1 ? '1 user' : `${formatNumber(count)} users`)
