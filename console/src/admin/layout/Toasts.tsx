import { Notification } from 'react-admin'
import { useIsPhone } from '../components/use-is-phone.ts'

/** Where they cover nothing that is worked with: below the menu, and on a phone under the bar, for buttons are at the bottom. */
export function Toasts() {
  const isPhone = useIsPhone()
  return isPhone ? (
    <Notification anchorOrigin={{ vertical: 'top', horizontal: 'center' }} sx={{ '&.MuiSnackbar-root': { top: 64 } }} />
  ) : (
    <Notification anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }} />
  )
}
