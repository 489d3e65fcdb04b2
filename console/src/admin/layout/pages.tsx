import ErrorIcon from '@mui/icons-material/ReportProblemOutlined'
import SearchOff from '@mui/icons-material/SearchOff'
import Button from '@mui/material/Button'
import { memo, useEffect } from 'react'
import { Title, useResetErrorBoundaryOnLocationChange } from 'react-admin'
import { Link, Navigate } from 'react-router'
import { EmptyState } from '../components/EmptyState.tsx'
import { menuEntries } from '../registry.ts'
import { dashboard } from '../resources.ts'
import { covers, useSession } from '../session.ts'

/** The start page; for users who may not see it, the first page that they may see, else their own account. */
export const StartPage = memo(function StartPage() {
  const { permissions } = useSession()
  if (dashboard !== undefined && covers(permissions, dashboard.permission ?? [])) return <dashboard.component />
  const first = menuEntries().find(({ permission }) => permission.length > 0 && covers(permissions, permission))
  return <Navigate to={first?.to ?? '/account'} replace />
})

export const NotFound = () => (
  <>
    <Title title="Page not found" />
    <EmptyState
      icon={SearchOff}
      title="There is nothing here"
      action={
        <Button component={Link} to="/" variant="outlined">
          Go to the start page
        </Button>
      }
    >
      The address is wrong, what was here is gone, or you may not see it.
    </EmptyState>
  </>
)

/** What stands in place of a page that failed; the rest of the console goes on. */
export function PageError({ error, reset }: { error: Error; reset: () => void }) {
  useResetErrorBoundaryOnLocationChange(reset)
  useEffect(() => console.error(error), [error])
  return (
    <>
      <Title title="Something went wrong" />
      <EmptyState
        icon={ErrorIcon}
        title="This page failed"
        action={
          <Button variant="outlined" onClick={reset}>
            Try again
          </Button>
        }
      >
        Only unsaved changes are lost. If it happens again, tell your administrator.
      </EmptyState>
    </>
  )
}
