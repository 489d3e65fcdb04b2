import Icon from '@mui/icons-material/FileDownloadOutlined'
import { useState } from 'react'
import { useListContext } from 'react-admin'
import { ToolButton } from '../list/ToolButton.tsx'
import { ExportDialog } from './ExportDialog.tsx'

/** The whole filtered list as a file. */
export function ExportButton() {
  const { total } = useListContext()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ToolButton
        label="Export"
        icon={<Icon />}
        onClick={() => setOpen(true)}
        disabled={total === undefined || total === 0}
      />
      {isOpen ? <ExportDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}
