/** `/assets/kit.js`: what plugins' console halves import. */
export * from '@gatehouse/plugin-kit/console'
