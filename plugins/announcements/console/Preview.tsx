import { Alert, Box, Typography, useApi, useEffect, useQuery, useState, useWatch } from '@gatehouse/plugin-kit/console'
import { Html } from './Html.tsx'

const pauseMs = 250

function useDebounced(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

interface Refusal {
  readonly message: string
  readonly body?: { readonly errors?: Readonly<Record<string, string>> }
}

/** What the server makes of the text, asked for as soon as one pauses: exactly what will be stored and shown. */
export function Preview() {
  const body = String(useWatch({ name: 'body' }) ?? '')
  const settled = useDebounced(body)
  const call = useApi()
  const { data, error, isFetching } = useQuery<string>({
    queryKey: ['announcement preview', settled],
    queryFn: async ({ signal }) => {
      const options = { body: { body: settled }, signal }
      return (await call<{ data: { parsed_body: string } }>('POST', '/announcements/preview', options)).data.parsed_body
    },
    enabled: settled.trim() !== '',
    placeholderData: (previous) => previous,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    retry: false,
  })
  const refusal = error as Refusal | null
  if (settled.trim() === '') {
    return <Typography color="text.secondary">A preview of your text appears here.</Typography>
  }
  return (
    <Box aria-busy={isFetching || settled !== body}>
      {refusal === null ? null : <Alert severity="error">{refusal.body?.errors?.body ?? refusal.message}</Alert>}
      {refusal === null ? <Html html={data ?? ''} title="Preview of the text" /> : null}
    </Box>
  )
}
