/** An answer that is JSON already. It is sent as it is: whoever makes one sees to it that it has what its schema names, and no more. */
export class JsonAnswer {
  readonly text: Buffer | string
  constructor(text: Buffer | string) {
    this.text = text
  }
}
