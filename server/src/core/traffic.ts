const recentMs = 250

/** Whether requests come in, so that work in the background can leave them room. */
export interface Traffic {
  readonly note: () => void
  /** True if a request came a moment ago. */
  readonly isRecent: () => boolean
}

export function createTraffic(): Traffic {
  let lastMs = Number.NEGATIVE_INFINITY
  return {
    note: () => {
      lastMs = performance.now()
    },
    isRecent: () => performance.now() - lastMs < recentMs,
  }
}
