/** The present day in UTC, as inputs of dates take it: `2026-11-25`. */
export const today = (): string => new Date().toISOString().slice(0, 10)
