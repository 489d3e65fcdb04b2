import { definePlugin, Type } from '@gatehouse/plugin-kit'

/** A plugin whose only part is a text that may be empty. */
export default definePlugin({
  id: 'motto',
  settings: Type.Object({ text: Type.String({ title: 'Words of the day', maxLength: 50, default: '' }) }),
})
