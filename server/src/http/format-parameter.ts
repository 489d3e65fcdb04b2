import { validationFailed } from '../core/errors.ts'

/** The `format` of a download; the first one where none is given. Throws `validation_failed`. */
export function formatOf<Format extends string>(
  query: URLSearchParams,
  formats: readonly [Format, ...Format[]],
): Format {
  const given = query.getAll('format').at(-1) ?? formats[0]
  const format = formats.find((name) => name === given)
  if (format === undefined)
    throw validationFailed({ format: [`The format field must be one of ${formats.join(', ')}.`] })
  return format
}
