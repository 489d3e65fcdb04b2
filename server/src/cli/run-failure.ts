/** A command that has said itself what went wrong: exit code 1, and no further message. */
export class CommandFailed extends Error {}
