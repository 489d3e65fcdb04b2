import Add from '@mui/icons-material/Add'
import Button from '@mui/material/Button'
import { Link } from 'react-router'

/** Leads to the form that creates something. */
export const NewButton = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} variant="contained" startIcon={<Add />}>
    {children}
  </Button>
)
