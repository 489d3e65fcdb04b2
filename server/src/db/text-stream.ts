/** Makes text of rows. A worker loads it by the address of its module, so it is named, not passed. */
export interface RendererSource {
  /** The address of a module that exports `createRenderer(options)`. */
  readonly module: string
  /** Plain data. */
  readonly options: unknown
}

/** Gets the values of a row in the order of the query's columns. */
export type Renderer = (row: readonly unknown[]) => string

interface RendererModule {
  readonly createRenderer: (options: unknown) => Renderer
}

export async function loadRenderer({ module, options }: RendererSource): Promise<Renderer> {
  const { createRenderer } = (await import(module)) as RendererModule
  return createRenderer(options)
}

/** How much text is made at a time. */
export const pieceLength = 128 * 1024
