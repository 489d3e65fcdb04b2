/** Plugins use it, too, so it is in the plugin kit. */
export { EmptyState } from '@gatehouse/plugin-kit/console'
