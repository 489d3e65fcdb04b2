import { isIP } from 'node:net'
import { isPublicHost, type Network, refusalOf } from '../../core/address-guard.ts'
import { hostOf } from '../../core/addresses.ts'
import type { Tx } from '../../core/context.ts'
import type { DraftFields } from '../../core/draft.ts'
import { excerpt } from '../../core/excerpt.ts'
import { eventNames, isKnownPattern } from '../events/patterns.ts'
import type { UpdateWebhook } from './webhooks.schemas.ts'

/**
 * Why a URL is refused at once; undefined if it may be right. The addresses of its host are checked when a connection is made.
 */
function refusalOfUrl(text: string, networks: readonly Network[]): string | undefined {
  const url = URL.parse(text)
  if (url === null || /[\s\p{Cc}]/u.test(text)) return 'The url field must be an http or https address.'
  const isEncrypted = url.protocol === 'https:'
  const host = hostOf(url)
  if (isIP(host) !== 0) {
    const refusal = refusalOf(host, isEncrypted, networks)
    return refusal === undefined ? undefined : `The url field is refused: ${refusal}`
  }
  if (networks.length > 0) return undefined
  if (!isEncrypted) return 'The url field must be an https address.'
  return isPublicHost(url) ? undefined : 'The url field must have a host on the public internet.'
}

/** Checks what the schema cannot express. */
export function checkWebhook({ config, plugins }: Tx, draft: DraftFields<UpdateWebhook>): void {
  const { url, events } = draft.given
  const refusal = url === undefined ? undefined : refusalOfUrl(url, config.webhookNetworks)
  if (refusal !== undefined) draft.reject('url', refusal)
  if (events === undefined) return
  const names = eventNames(plugins)
  for (const pattern of events) {
    if (!isKnownPattern(pattern, names))
      draft.reject('events', `There is no event ${excerpt(pattern)}. Write a name such as user.created, user.* or *.`)
  }
}
