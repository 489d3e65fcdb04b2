import Box from '@mui/material/Box'
import Typography from '@mui/material/Typography'
import { type RefObject, useEffect, useRef } from 'react'
import ReactCrop, { type PercentCrop } from 'react-image-crop'
import 'react-image-crop/dist/ReactCrop.css'
import { drawCrop, middleSquare } from './crop.ts'

interface Props {
  /** Of the chosen file, in the browser's memory. */
  readonly address: string
  readonly image: RefObject<HTMLImageElement | null>
  readonly crop: PercentCrop | undefined
  readonly onCrop: (crop: PercentCrop) => void
  readonly onBroken: () => void
}

/** A chosen picture with a square to move and resize (by keyboard, too), and how the avatar will look. */
export function CropPicture({ address, image, crop, onCrop, onBroken }: Props) {
  const preview = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (crop !== undefined && preview.current !== null && image.current !== null) {
      drawCrop(preview.current, image.current, crop, 192)
    }
  }, [crop, image])

  return (
    <Box sx={{ display: 'flex', flexDirection: { xs: 'column', sm: 'row' }, gap: 2.5, alignItems: 'center' }}>
      <Box sx={{ flex: 1, minWidth: 0, textAlign: 'center' }}>
        <ReactCrop
          crop={crop}
          aspect={1}
          minWidth={32}
          circularCrop
          keepSelection
          onChange={(_, percent) => onCrop(percent)}
          ariaLabels={{
            ...ReactCrop.defaultProps.ariaLabels,
            cropArea: 'Part of the picture to use. Move it with the arrow keys.',
          }}
        >
          <Box
            component="img"
            ref={image}
            src={address}
            alt="The chosen picture"
            onLoad={({ currentTarget }: { currentTarget: HTMLImageElement }) =>
              onCrop(middleSquare(currentTarget.naturalWidth, currentTarget.naturalHeight))
            }
            onError={onBroken}
            sx={{ display: 'block', maxHeight: { xs: 240, sm: 320 }, maxWidth: '100%' }}
          />
        </ReactCrop>
      </Box>
      <Box sx={{ textAlign: 'center' }}>
        <Box
          component="canvas"
          ref={preview}
          role="img"
          aria-label="Preview of the avatar"
          sx={{
            width: 96,
            height: 96,
            borderRadius: '50%',
            display: 'block',
            border: '1px solid',
            borderColor: 'divider',
          }}
        />
        <Typography variant="caption" component="p" sx={{ mt: 0.75 }}>
          Preview
        </Typography>
      </Box>
    </Box>
  )
}
