/**
 * Thrown by a plugin's `prepare` for a mistake in its configuration. The file is then refused, with the line of the
 * mistake.
 *
 * @example
 * ```ts
 * const mistake = new ConfigMistake('/words/0', 'must not be empty');
 * [mistake.path, mistake.message];
 * // => ['/words/0', 'must not be empty']
 * ```
 */
export class ConfigMistake extends Error {
  /** A JSON pointer (RFC 6901) into `config`; empty for the configuration as a whole. */
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = 'ConfigMistake';
    this.path = path;
  }
}
