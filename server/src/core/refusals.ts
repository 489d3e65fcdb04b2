const refused = new Map<string, number>()

/** Counts a refused request by the code of its error, of which there is a fixed number. */
export function noteRefusal(code: string): void {
  refused.set(code, (refused.get(code) ?? 0) + 1)
}

/** Since this process started. */
export const refusals = (): ReadonlyMap<string, number> => refused
