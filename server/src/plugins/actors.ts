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

/** The actor behind what a plugin was given; what it made up itself is the system. */
export const toActor = (shown: PluginActor): Actor => actors.get(shown) ?? { ...systemActor, userId: shown.userId }
