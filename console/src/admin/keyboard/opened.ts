import { createStore } from '../store.ts'

const opened = createStore<'palette' | 'help' | undefined>(undefined)

/** Opens the palette or the list of keys, from wherever; undefined closes it. */
export const setOpened = opened.set

export const useOpened = opened.use
