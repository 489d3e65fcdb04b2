import type { Actor as PluginActor } from '@gatehouse/plugin-kit'
import { type Actor, systemActor } from '../core/context.ts'
import { holds } from '../core/permissions.ts'

const actors = new WeakMap<PluginActor, Actor>()

/** The actor as plugins see them. */
export function toPluginActor(actor: Actor): PluginActor {
  const shown: PluginActor = { userId: actor.userId, may: (permission) => holds(actor.permissions, permission) }
  actors.set(shown, actor)
  return shown
}

/** The plugin itself as an actor, for its jobs. */
export const systemPluginActor = toPluginActor(systemActor)

/** The core's actor behind a plugin's. One that the plugin made up has no credential to check and is refused. */
export function toActor(shown: PluginActor): Actor {
  const actor = actors.get(shown)
  if (actor !== undefined) return actor
  throw new Error('host.transaction(actor, work) takes the actor of the call or of the event, or host.system.')
}
