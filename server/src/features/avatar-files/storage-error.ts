/** The storage of pictures is away or refuses; the message names it, and the cause says why. */
export class StorageError extends Error {}
