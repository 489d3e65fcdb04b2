import Box from '@mui/material/Box'
import type { SxProps, Theme } from '@mui/material/styles'
import {
  createContext,
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import {
  FormGroupsProvider,
  removeEmpty,
  SourceContextProvider,
  useDebouncedEvent,
  useEvent,
  useListContext,
} from 'react-admin'
import { type FieldValues, FormProvider, useForm } from 'react-hook-form'

type ChangeFilters = (next: (now: FieldValues) => FieldValues) => void

const ChangeContext = createContext<ChangeFilters>(() => {})

/** Changes the filters from what they are now, which may not be drawn yet. */
export const useChangeFilters = (): ChangeFilters => useContext(ChangeContext)

/** Inside of the list, around all that changes its filters. */
export function ChangingFilters({ children }: { children: ReactNode }) {
  const { filterValues, setFilters } = useListContext()
  const latest = useRef<FieldValues>(filterValues)
  const text = JSON.stringify(filterValues)
  useLayoutEffect(() => {
    latest.current = JSON.parse(text)
  }, [text])
  const change = useEvent<[Parameters<ChangeFilters>[0]], void>((next) => {
    latest.current = next(latest.current)
    setFilters(latest.current)
  })
  return <ChangeContext.Provider value={change}>{children}</ChangeContext.Provider>
}

/** Long enough for a quick typist, short enough to feel instant. */
const debounceMs = 150

/**
 * A form that filters the list while one types, and shows what is in force. react-admin's sends all of its fields a moment after
 * the last change, and so undoes what else was changed meanwhile (“Clear filters”); this one sends those that were changed.
 */
export function LiveFilters({ children, sx = {} }: { children: ReactNode; sx?: SxProps<Theme> }) {
  const { filterValues, resource } = useListContext()
  const change = useChangeFilters()
  const form = useForm()
  const { getValues, reset, watch } = form
  const typed = useRef<FieldValues>({})
  const apply = () => {
    const changes = typed.current
    typed.current = {}
    if (Object.keys(changes).length > 0) change((now) => ({ ...now, ...changes }))
  }
  const applySoon = useDebouncedEvent(apply, debounceMs)

  useEffect(() => {
    const { unsubscribe } = watch((values, { name }) => {
      if (name === undefined) return // it was reset
      typed.current[name] = values[name]
      applySoon()
    })
    return unsubscribe
  }, [watch, applySoon])

  const text = JSON.stringify(filterValues)
  useEffect(() => {
    const before = getValues()
    const empty = Object.fromEntries(Object.keys(before).map((name) => [name, '']))
    const inForce = { ...empty, ...JSON.parse(text), ...typed.current }
    if (JSON.stringify(removeEmpty(inForce)) !== JSON.stringify(removeEmpty(before))) reset(inForce)
  }, [text, getValues, reset])

  const names = useMemo(
    () => ({
      getSource: (source: string) => source,
      getLabel: (source: string) => `resources.${resource}.fields.${source}`,
    }),
    [resource],
  )
  return (
    <FormProvider {...form}>
      <FormGroupsProvider>
        <SourceContextProvider value={names}>
          <Box
            component="form"
            sx={sx}
            onSubmit={(event: FormEvent) => {
              event.preventDefault()
              apply()
            }}
          >
            {children}
          </Box>
        </SourceContextProvider>
      </FormGroupsProvider>
    </FormProvider>
  )
}
