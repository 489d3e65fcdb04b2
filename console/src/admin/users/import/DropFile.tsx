import Upload from '@mui/icons-material/UploadFileOutlined'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Typography from '@mui/material/Typography'
import { useRef, useState } from 'react'
import { saveFile } from '../../save-file.ts'

const example = `email,username,first_name,last_name,role,country
ada@example.com,ada,Ada,Lovelace,User,GB
grace@example.com,grace,Grace,Hopper,User,US
`

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
        gridTemplateColumns: 'minmax(0, 1fr)',
        justifyItems: 'center',
        gap: 1.5,
        p: { xs: 3, sm: 5 },
        border: '2px dashed',
        borderColor: isOver ? 'primary.main' : 'divider',
        bgcolor: isOver ? 'action.hover' : undefined,
        borderRadius: 2,
        textAlign: 'center',
      }}
    >
      <Upload sx={{ fontSize: 40, color: 'text.secondary' }} />
      <Typography sx={{ fontWeight: 550 }}>Drop a CSV or NDJSON file here</Typography>
      <Typography variant="body2" color="text.secondary" sx={{ maxWidth: 460, textWrap: 'balance' }}>
        The first line of a CSV file names its columns; only the email address is needed. Passwords come along as hashes
        of most other systems. UTF-8, at most 4 GiB.
      </Typography>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: 1 }}>
        <Button variant="contained" onClick={() => input.current?.click()}>
          Choose a file
        </Button>
        <Button variant="outlined" onClick={() => saveFile(new Blob([example], { type: 'text/csv' }), 'users.csv')}>
          Download an example
        </Button>
      </Box>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,.ndjson,.jsonl,text/csv"
        aria-label="File with users"
        onChange={({ target }) => {
          const [file] = target.files ?? []
          target.value = '' // so that the same file can be chosen again, once it was mended
          if (file !== undefined) onFile(file)
        }}
      />
    </Box>
  )
}
