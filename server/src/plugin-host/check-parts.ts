import type { Route } from '@gatehouse/plugin-kit'
import { refusePlugin } from './refuse.ts'

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')

/** The permissions that a route asks for, none if it needs none; undefined if its `access` cannot be read. */
function permissionsOf(access: unknown): readonly string[] | undefined {
  if (access === 'public' || access === 'authenticated') return []
  const { permission } = (access ?? {}) as { permission?: unknown }
  if (typeof permission === 'string') return [permission]
  return isTexts(permission) ? permission : undefined
}

/** Refuses routes that do not say who may call them. */
export function checkRoutes(source: string, routes: readonly Route[]): void {
  for (const { method, path, access } of routes) {
    if (permissionsOf(access) === undefined)
      refusePlugin(source, `the route ${method} ${path} does not say who may call it (access).`)
  }
}
