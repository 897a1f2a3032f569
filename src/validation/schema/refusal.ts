/** Why a schema cannot be used. `path` is a JSON pointer into it; the message continues a sentence after a colon. */
export class Refusal extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.path = path;
  }
}
