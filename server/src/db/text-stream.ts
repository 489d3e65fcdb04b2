/** Makes text of rows. A worker loads it by the address of its module, so it is named, not passed. */
export interface RendererSource {
  /** The address of a module that exports `createRenderer(options)`. */
  readonly module: string
  /** Plain data. */
  readonly options: unknown
}

/** Gets a row of its own, with the query's columns in their order. */
export type Renderer = (row: Record<string, unknown>) => string

interface RendererModule {
  readonly createRenderer: (options: unknown) => Renderer
}

export async function loadRenderer({ module, options }: RendererSource): Promise<Renderer> {
  const { createRenderer } = (await import(module)) as RendererModule
  return createRenderer(options)
}

/** How much is sent at a time. */
const pieceBytes = 256 * 1024

/**
 * Collects lines in UTF-8. Each is encoded by itself: of text that is joined first, one letter beyond Latin-1 makes V8 keep, copy
 * and encode every character with two bytes.
 */
export class Pieces {
  #bytes = Buffer.alloc(0)
  #used = 0

  /** Returns the piece before, if the line does not fit into it. */
  add(line: string): Uint8Array | undefined {
    const mostBytes = line.length * 3
    const isFull = this.#used > 0 && this.#used + mostBytes > this.#bytes.length
    const full = isFull ? this.take() : undefined
    if (this.#used === 0) this.#bytes = Buffer.allocUnsafeSlow(Math.max(pieceBytes, mostBytes))
    this.#used += this.#bytes.write(line, this.#used)
    return full
  }

  /** What has not been returned yet; may be empty. Its memory is its own. */
  take(): Uint8Array {
    const piece = this.#bytes.subarray(0, this.#used)
    this.#used = 0
    return piece
  }
}
