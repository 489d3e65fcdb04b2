import { defineErrors, type ServiceError, validationFailed } from '../../core/errors.ts'

const codes = defineErrors({
  avatar_not_a_picture: [422, 'The file must be a PNG, JPEG, WebP, GIF or AVIF picture.'],
  avatar_too_many_pixels: [422, 'The picture must not have more than 40 megapixels.'],
  avatar_unreadable: [422, 'The picture is damaged, incomplete or takes too long to read.'],
})

/** Refuses an uploaded file, with the reason at the field `file`. */
export function refuseFile(code: keyof typeof codes): ServiceError {
  const { message } = codes[code]()
  return validationFailed({ file: [message] }, code)
}
