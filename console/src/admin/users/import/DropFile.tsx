import Upload from '@mui/icons-material/UploadFileOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useRef, useState } from 'react'

/** Takes a file by a drop or a choice. */
export function DropFile({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  return (
    <Box
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const [file] = event.dataTransfer.files
        if (file !== undefined) onFile(file)
      }}
      sx={{
        display: 'grid',
        justifyItems: 'center',
        gap: 1.5,
        p: 5,
        border: '2px dashed',
        borderColor: isOver ? 'primary.main' : 'divider',
        borderRadius: 2,
        textAlign: 'center',
      }}
    >
      <Upload sx={{ fontSize: 40, color: 'text.secondary' }} />
      <Typography>Drop a CSV or NDJSON file here</Typography>
      <Typography variant="body2" color="text.secondary">
        The first line of a CSV file names its columns. UTF-8, at most 4 GiB.
      </Typography>
      <Button variant="contained" onClick={() => input.current?.click()}>
        Choose a file
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv"
        aria-label="File with users"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          if (file !== undefined) onFile(file)
        }}
      />
    </Box>
  )
}
