import { Type } from 'typebox'

/** The token of a link that was sent by mail, in the body of the request that the link's page makes. */
export const linkToken = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'From the link in the email.',
  examples: ['vAPBcytTuP4xc1JCNigLVJ9NPrlXAeyyFrWJS-HBr00'],
})
