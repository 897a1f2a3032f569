/** Thrown by a plugin's `prepare` for a mistake in its configuration. `path` is a JSON pointer into `config`. */
export class ConfigMistake extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'ConfigMistake';
    this.path = path;
  }
}
