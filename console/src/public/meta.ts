import type { components } from '@gatehouse/client'

/** What the pages need to know before anybody has signed in. */
export type Meta = components['schemas']['Meta']
export type User = components['schemas']['User']
