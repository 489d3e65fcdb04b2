import type { OpenAPI3 } from 'openapi-typescript'
import { coreEvents } from '../../server/src/core/events.ts'
import { corePermissions } from '../../server/src/core/permissions.ts'
import { origin, writeTable } from './tables.ts'

/** The names of the fields of an object, or of every object that it can be. */
function namesOf(schema: object): string[] {
  const { properties = {}, anyOf = [] } = schema as { properties?: object; anyOf?: object[] }
  return [...new Set([...Object.keys(properties), ...anyOf.flatMap(namesOf)])]
}

/** Every event, with the fields that its details can have. */
export function writeEvents(document: OpenAPI3): string {
  const { enum: names = [] } = (document.components?.schemas?.EventName ?? {}) as { enum?: string[] }
  const details: Readonly<Record<string, object>> = coreEvents
  const rows = names.map((name) => [
    `\`${name}\``,
    name in details
      ? namesOf(details[name] ?? {})
          .map((field) => `\`${field}\``)
          .join(', ')
      : 'of the plugin',
  ])
  return `<!-- ${origin} -->

# Events

The names that \`event\` has in the [activity](api.md#changes-as-they-happen), and \`type\` in [webhooks and the feed](webhooks.md), with the fields that
\`details\` can have. Those of [announcements](announcements.md#in-the-audit-log) are there while that plugin is active; other plugins add theirs.

${writeTable(['event', 'details'], rows)}
`
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

/** Every permission, with the operations that ask for it. */
export function writePermissions(document: OpenAPI3): string {
  const operations = new Map<string, string[]>(corePermissions.map((name) => [name, []]))
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of methods) {
      const { description = '' } = (item as Record<string, { description?: string } | undefined>)[method] ?? {}
      const [, needed = ''] = /Needs the permission (.+?)\.(?:\s|$)/.exec(description) ?? []
      for (const [, name = ''] of needed.matchAll(/`([^`]+)`/g)) {
        operations.set(name, [...(operations.get(name) ?? []), `\`${method.toUpperCase()} ${path}\``])
      }
    }
  }
  operations.get('settings.general')?.push('`GET /metrics` (outside of `/api`)')
  const rows = [...operations].map(([name, list]) => [`\`${name}\``, list.join(', ')])
  return `<!-- ${origin} -->

# Permissions

What each built-in permission allows; an operation that stands at several needs one of them. Everything else needs any credential, or none: \`/api/docs\` says
so of each path. Besides, \`users.manage\` shows and ends sessions of others (\`/sessions/{id}\`), and with \`users.activity\` \`GET /me/stream\` has every event. Permissions of your own (\`POST /permissions\`) mean what your application makes of them. What they have to do with roles and keys is in
[the API](api.md#roles-permissions-keys).

${writeTable(['permission', 'allows'], rows)}
`
}
