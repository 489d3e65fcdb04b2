import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Skeleton from '@mui/material/Skeleton'
import { type ComponentType, Fragment, type ReactNode } from 'react'
import { type HttpError, Title, useResourceContext } from 'react-admin'
import { useParams } from 'react-router'
import { wasDeleted } from '../data-provider.ts'
import { BackLink } from './BackLink.tsx'
import { EmptyState } from './EmptyState.tsx'

interface Props<T> {
  /** What `useEditContext` and `useShowContext` know. */
  readonly state: {
    readonly record?: T | undefined
    readonly isPending?: boolean
    readonly error?: unknown
    readonly refetch?: () => unknown
  }
  /** What one of them is called: “role”. */
  readonly noun: string
  readonly icon: ComponentType<{ fontSize?: 'large' }>
  readonly back: { readonly to: string; readonly label: string }
  readonly maxWidth?: number
  readonly children: (record: T) => ReactNode
}

/** The page of one record: loading, not found, and found. Another record's page begins anew: no question goes along to it. */
export function RecordPage<T>({ state, noun, icon, back, maxWidth = 760, children }: Props<T>) {
  const { record, isPending, error, refetch } = state
  // The cache may still hold a deleted record.
  const { id } = useParams()
  const isDeleted = wasDeleted(useResourceContext(), id)
  const isGone = isDeleted || (error as HttpError | null)?.status === 404
  return (
    <Box sx={{ maxWidth, mx: 'auto' }}>
      <BackLink to={back.to}>{back.label}</BackLink>
      {record !== undefined && !isGone ? (
        <Fragment key={id}>{children(record)}</Fragment>
      ) : isPending === true && !isGone ? (
        <Box aria-busy="true">
          <Skeleton width="40%" height={32} sx={{ mb: 2 }} />
          <Skeleton variant="rounded" height={280} />
        </Box>
      ) : (
        <>
          <Title title={back.label} />
          <EmptyState
            icon={icon}
            title={isGone ? `There is no such ${noun}` : `This ${noun} cannot be shown now`}
            action={
              isGone ? undefined : (
                <Button variant="outlined" onClick={() => refetch?.()}>
                  Try again
                </Button>
              )
            }
          >
            {isGone ? 'It may have been deleted.' : (error as Error | null)?.message}
          </EmptyState>
        </>
      )}
    </Box>
  )
}

/** For `queryOptions` of `EditBase` and `ShowBase`: shows an error in place. React-admin would go to the list. */
export const stayOnError = { onError: () => {} }
