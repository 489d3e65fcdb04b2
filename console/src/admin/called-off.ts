/** Of what was called off by the person who had begun it. A notification with it is not shown: they know. */
export const calledOffText = 'You called this off.'

export const calledOff = (): Error => new DOMException(calledOffText, 'AbortError')

/** Whether there is nothing to say about a failure, because the person wanted it. */
export const isCalledOff = (error: unknown): boolean => (error as Error).name === 'AbortError'
