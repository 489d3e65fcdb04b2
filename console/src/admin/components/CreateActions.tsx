import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import { SaveButton } from 'react-admin'
import { Link } from 'react-router'

/** The buttons of a form that creates something: create, and cancel. */
export const CreateActions = ({ label, back }: { label: string; back: string }) => (
  <Box sx={{ display: 'flex', gap: 1, mt: 2.5 }}>
    <SaveButton label={label} icon={null} alwaysEnable />
    <Button variant="outlined" component={Link} to={back}>
      Cancel
    </Button>
  </Box>
)
