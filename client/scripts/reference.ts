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

The values of \`event\` in the [activity](api.md#changes-as-they-happen), and of \`type\` in [webhooks and the feed](webhooks.md), with the fields that
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

What each built-in permission allows. An operation that is listed under several permissions needs one of them. All other operations need any credential, or none:
\`/api/docs\` says which. In addition, \`users.manage\` is needed to see and end the sessions of other users (\`/sessions/{id}\`), and with \`users.activity\`, \`GET /me/stream\` has every event.
What your own permissions (\`POST /permissions\`) mean is up to your application. [The API](api.md#roles-permissions-keys) says how roles and keys use permissions.

${writeTable(['permission', 'allows'], rows)}
`
}
