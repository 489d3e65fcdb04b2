declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici'
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default Pool
}
