declare module 's3rver' {
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default class S3rver {
    constructor(options: Readonly<Record<string, unknown>>)
    run(): Promise<{ port: number }>
    close(): Promise<void>
  }
}
