import { useOnce, useProblem } from '@gatehouse/plugin-kit/console'
import Upload from '@mui/icons-material/AddPhotoAlternateOutlined'
import Alert from '@mui/material/Alert'
import Avatar from '@mui/material/Avatar'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import Dialog from '@mui/material/Dialog'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import Divider from '@mui/material/Divider'
import TextField from '@mui/material/TextField'
import Typography from '@mui/material/Typography'
import { type DragEvent, useEffect, useId, useRef, useState } from 'react'
import { useNotify } from 'react-admin'
import type { PercentCrop } from 'react-image-crop'
import { call } from '../data-provider.ts'
import { useCursorToWrong } from '../layout/use-cursor-to-wrong.ts'
import { CropPicture } from './CropPicture.tsx'
import { cropToFile } from './crop.ts'

interface Props {
  /** `/users/17` or `/me`: whose avatar it is. */
  readonly path: string
  readonly avatar: string
  readonly onSaved: () => void
  readonly onClose: () => void
}

/** The address of a file in the browser's memory, given back when it is no longer shown. */
function useFileAddress(file: File | undefined): string | undefined {
  const [address, setAddress] = useState<string>()
  useEffect(() => {
    if (file === undefined) return setAddress(undefined)
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return address
}

/** Where a file is dropped or chosen. */
function DropZone({ onFile }: { onFile: (file: File | undefined) => void }) {
  const [isOver, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFile(event.dataTransfer.files[0])
  }
  return (
    <Box
      component="label"
      onDragOver={(event: DragEvent) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      sx={{
        display: 'block',
        textAlign: 'center',
        p: 3,
        borderRadius: 1,
        cursor: 'pointer',
        border: '1px dashed',
        borderColor: isOver ? 'primary.main' : 'text.secondary',
        bgcolor: isOver ? 'action.selected' : undefined,
        '&:hover': { bgcolor: 'action.hover' },
        '&:focus-within': { outline: '2px solid', outlineColor: 'primary.main', outlineOffset: 2 },
      }}
    >
      <Upload sx={{ color: 'text.secondary' }} />
      <Typography sx={{ fontWeight: 550 }}>Choose a picture, or drop it here</Typography>
      <Typography variant="caption">PNG, JPEG, WebP, GIF or AVIF</Typography>
      <Box
        component="input"
        type="file"
        accept="image/png,image/jpeg,image/webp,image/gif,image/avif"
        onChange={({ target }: { target: HTMLInputElement }) => onFile(target.files?.[0])}
        sx={{ position: 'absolute', width: '1px', height: '1px', opacity: 0, overflow: 'hidden' }}
      />
    </Box>
  )
}

/** Sets an avatar: a picture that is uploaded and cut, or one elsewhere; or brings the default one back. */
export function AvatarDialog({ path, avatar, onSaved, onClose }: Props) {
  const title = useId()
  const notify = useNotify()
  const [file, setFile] = useState<File>()
  const [url, setUrl] = useState('')
  const [crop, setCrop] = useState<PercentCrop>()
  const [problem, setProblem] = useProblem()
  const [tried, setTried] = useState<'file' | 'url'>('file')
  const image = useRef<HTMLImageElement>(null)
  const form = useCursorToWrong(problem)
  const address = useFileAddress(file)
  const isDefault = avatar.endsWith('/avatars/default.svg')

  const [save, isBusy] = useOnce(async (at: 'file' | 'url', said: string, work: () => Promise<unknown>) => {
    setProblem(undefined)
    setTried(at)
    try {
      await work()
      notify(said, { type: 'success' })
      onSaved()
      onClose()
    } catch (error) {
      setProblem((error as Error).message)
    }
  })
  const upload = () =>
    save('file', 'The picture was saved.', async () => {
      if (image.current === null || crop === undefined) return
      const body = new FormData()
      body.append('file', await cropToFile(image.current, crop))
      await call('POST', `${path}/avatar`, { body })
    })
  const setExternal = () =>
    save('url', 'The picture was saved.', () => call('PUT', `${path}/avatar/external`, { body: { url: url.trim() } }))
  const remove = () => save('file', 'The picture was removed.', () => call('DELETE', `${path}/avatar`))
  const choose = (chosen: File | undefined) => {
    setProblem(undefined)
    setCrop(undefined)
    setFile(chosen)
  }
  const isBroken = () => {
    setFile(undefined)
    setTried('file')
    setProblem('This file is not a picture that can be shown.')
  }

  return (
    <Dialog open onClose={isBusy ? undefined : onClose} aria-labelledby={title} fullWidth maxWidth="sm">
      <DialogTitle id={title}>Profile picture</DialogTitle>
      <DialogContent>
        {address === undefined ? (
          <Box sx={{ display: 'flex', gap: 2.5, alignItems: 'center', flexDirection: { xs: 'column', sm: 'row' } }}>
            <Avatar src={avatar} alt="The present picture" sx={{ width: 96, height: 96 }} />
            <Box sx={{ flex: 1, width: '100%' }}>
              <DropZone onFile={choose} />
            </Box>
          </Box>
        ) : (
          <CropPicture address={address} image={image} crop={crop} onCrop={setCrop} onBroken={isBroken} />
        )}
        {tried === 'file' && problem !== undefined ? (
          <Alert severity="error" sx={{ mt: 2 }}>
            {problem}
          </Alert>
        ) : null}
        {address === undefined ? (
          <>
            <Divider sx={{ my: 2, color: 'text.secondary', fontSize: '0.8125rem' }}>or</Divider>
            <Box
              component="form"
              ref={form}
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                event.stopPropagation()
                setExternal()
              }}
              sx={{ display: 'flex', gap: 1, alignItems: 'start' }}
            >
              <TextField
                fullWidth
                label="Address of a picture elsewhere"
                placeholder="https://"
                type="url"
                autoComplete="off"
                value={url}
                onChange={(event) => setUrl(event.target.value)}
                error={tried === 'url' && problem !== undefined}
                helperText={tried === 'url' ? problem : undefined}
              />
              <Button type="submit" variant="outlined" disabled={url.trim() === '' || isBusy} sx={{ mt: '11px' }}>
                Use it
              </Button>
            </Box>
          </>
        ) : null}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2, flexWrap: 'wrap', rowGap: 1 }}>
        {isDefault || address !== undefined ? null : (
          <Button variant="outlined" color="error" onClick={remove} disabled={isBusy} sx={{ mr: 'auto' }}>
            Remove the picture
          </Button>
        )}
        {address === undefined ? null : (
          <Button variant="outlined" onClick={() => choose(undefined)} disabled={isBusy} sx={{ mr: 'auto' }}>
            Choose another
          </Button>
        )}
        <Button variant="outlined" onClick={onClose} disabled={isBusy}>
          Cancel
        </Button>
        {address === undefined ? null : (
          <Button variant="contained" onClick={upload} disabled={isBusy || crop === undefined}>
            Save the picture
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
