import { ChangingFilters, ListContent, Pages } from '@gatehouse/plugin-kit/console'
import Add from '@mui/icons-material/Add'
import Upload from '@mui/icons-material/FileUploadOutlined'
import Button from '@mui/material/Button'
import LinearProgress from '@mui/material/LinearProgress'
import Paper from '@mui/material/Paper'
import type { Theme } from '@mui/material/styles'
import useMediaQuery from '@mui/material/useMediaQuery'
import { useEffect, useState } from 'react'
import { List, useListContext } from 'react-admin'
import { Link, useLocation, useNavigate } from 'react-router'
import { ExportButton } from '../export/ExportButton.tsx'
import { BulkBar } from './BulkBar.tsx'
import { ColumnsButton } from './ColumnsButton.tsx'
import { ListSummary } from './ListSummary.tsx'
import { rememberList } from './list-address.ts'
import { ToolButton } from './ToolButton.tsx'
import { UserCards } from './UserCards.tsx'
import { UserFilters } from './UserFilters.tsx'
import { UserTable } from './UserTable.tsx'
import { ViewsButton } from './views/ViewsButton.tsx'

const patienceMs = 300

const pages = <Pages />

/** Shows an error in place of the rows. */
const quiet = { onError: () => {} }

/** Shown when new rows take long; the previous ones stay until then. */
function Fetching() {
  const { isFetching } = useListContext()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isFetching) return setLong(false)
    const timer = setTimeout(() => setLong(true), patienceMs)
    return () => clearTimeout(timer)
  }, [isFetching])
  // Removed, not hidden: a hidden animation would still run.
  if (!isLong) return null
  return <LinearProgress aria-label="Loading" sx={{ position: 'absolute', inset: '0 0 auto', height: 2, zIndex: 1 }} />
}

/** Room for `BulkBar`: what is at the end of the list can be scrolled out from under it. */
const withRoom = { '&:has([role=toolbar])': { pb: { xs: '10rem', md: '6rem' } } } as const

/** All users: search, filters, sort and page are in the address. */
export function UserList() {
  const isPhone = useMediaQuery<Theme>((theme) => theme.breakpoints.down('sm'), { noSsr: true })
  const { search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => rememberList(search), [search])
  return (
    <List
      actions={false}
      empty={false}
      exporter={false}
      storeKey={false}
      perPage={25}
      sort={{ field: 'created_at', order: 'DESC' }}
      pagination={pages}
      component="div"
      title="Users"
      queryOptions={quiet}
      sx={withRoom}
    >
      <ChangingFilters>
        <UserFilters isPhone={isPhone}>
          <ToolButton label="Import users" icon={<Upload />} onClick={() => navigate('/import-users')} />
          <ExportButton />
          <Button
            variant="contained"
            component={Link}
            to="/users/create"
            aria-label={isPhone ? 'New user' : undefined}
            startIcon={isPhone ? undefined : <Add />}
            sx={{ height: 38, minWidth: 0, px: { xs: 1, sm: 1.5 } }}
          >
            {isPhone ? <Add fontSize="small" /> : 'New user'}
          </Button>
        </UserFilters>
        <Paper sx={{ position: 'relative', overflow: 'hidden', '& .RaDataTable-tableWrapper': { overflowX: 'auto' } }}>
          <Fetching />
          <ListSummary isPhone={isPhone}>
            <ViewsButton />
            {isPhone ? null : <ColumnsButton />}
          </ListSummary>
          <ListContent>{isPhone ? <UserCards /> : <UserTable />}</ListContent>
        </Paper>
        <BulkBar />
      </ChangingFilters>
    </List>
  )
}
