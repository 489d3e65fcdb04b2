/** An answer that is already JSON. No serializer sees it, so its maker must send exactly what the schema of the route names. */
export class JsonAnswer {
  readonly text: Buffer | string
  constructor(text: Buffer | string) {
    this.text = text
  }
}
