/** The present day in UTC, as inputs of dates take it: `2026-11-25`. */
export const today = (): string => new Date().toISOString().slice(0, 10)

/** The last day that the API takes: years have four digits. Without a maximum, browsers accept six. */
export const lastDay = '9999-12-31'
