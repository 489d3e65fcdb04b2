import { defineErrors } from './errors.ts'

export const factorErrors = defineErrors({
  two_factor_enrolment_required: [403, 'Your role requires a second factor: add one under /me/factors first.'],
})
