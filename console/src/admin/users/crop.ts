import type { PercentCrop } from 'react-image-crop'

/** No larger than the server would keep it sharp. */
const maxSide = 1024

/** The square in the middle, as large as it goes; in percent of the picture. */
export function middleSquare(width: number, height: number): PercentCrop {
  const side = Math.min(width, height)
  return {
    unit: '%',
    width: (side / width) * 100,
    height: (side / height) * 100,
    x: ((width - side) / 2 / width) * 100,
    y: ((height - side) / 2 / height) * 100,
  }
}

/** Draws what is inside the crop, as a square. */
export function drawCrop(
  canvas: HTMLCanvasElement,
  image: HTMLImageElement,
  crop: PercentCrop,
  largest = maxSide,
): void {
  const { naturalWidth, naturalHeight } = image
  const width = (crop.width / 100) * naturalWidth
  const height = (crop.height / 100) * naturalHeight
  const side = Math.max(1, Math.min(largest, Math.round(Math.max(width, height))))
  canvas.width = side
  canvas.height = side
  const x = (crop.x / 100) * naturalWidth
  const y = (crop.y / 100) * naturalHeight
  const context = canvas.getContext('2d')
  if (context === null) return
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, x, y, width, height, 0, 0, side, side)
}

/** What is inside the crop, as a file to upload. */
export function cropToFile(image: HTMLImageElement, crop: PercentCrop): Promise<File> {
  const canvas = document.createElement('canvas')
  drawCrop(canvas, image, crop)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => {
      if (blob === null) return reject(new Error('The picture could not be cut.'))
      resolve(new File([blob], 'avatar.png', { type: blob.type }))
    }, 'image/png'),
  )
}
