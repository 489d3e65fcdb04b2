/** Plugins have it, too: it lives in their kit. */
export { EmptyState } from '@gatehouse/plugin-kit/console'
