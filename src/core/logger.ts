/**
 * The program's log, for operators. pino's loggers have this shape. `fields` is an object of values, such as an error
 * under `err`.
 */
export interface Logger {
  /** Logs the steps of each request, without its content. `fields` is called only where this level is logged. */
  debug(fields: () => object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
