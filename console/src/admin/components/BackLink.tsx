import ArrowBack from '@mui/icons-material/ArrowBack'
import Button from '@mui/material/Button'
import { Link } from 'react-router'

/** The link from one object back to the list. */
export const BackLink = ({ to, children }: { to: string; children: string }) => (
  <Button component={Link} to={to} startIcon={<ArrowBack />} sx={{ ml: -1, mb: 1, color: 'text.secondary' }}>
    {children}
  </Button>
)
