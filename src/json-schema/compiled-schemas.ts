import type { Ajv2020, Options, ValidateFunction } from 'ajv/dist/2020.js';
import { addFormats, createAjv2020 } from './load-ajv.js';

/**
 * Schemas of the program by name, each of which is compiled with its first value. In the program that `scripts/build-program.mjs`
 * joins, a module that exports one of these as `schemas` is the code that Ajv makes of them. Otherwise an engine would stand still
 * for a tenth of a second when it needs its first schema, while Ajv is loaded and compiles.
 */
export class CompiledSchemas<Name extends string> {
  #ajv?: Ajv2020;

  constructor(
    private readonly schemas: Readonly<Record<Name, object>>,
    private readonly options: Options,
  ) {}

  get names(): Name[] {
    return Object.keys(this.schemas) as Name[];
  }

  /** An Ajv that knows the schemas by their names, and keeps the code of each as a module. */
  get ajv(): Ajv2020 {
    if (this.#ajv === undefined) {
      const code = { ...this.options.code, source: true, esm: true };
      this.#ajv = createAjv2020({ ...this.options, code });
      addFormats(this.#ajv);
      for (const name of this.names) this.#ajv.addSchema(this.schemas[name], name);
    }
    return this.#ajv;
  }

  validator(name: Name): ValidateFunction {
    return this.ajv.getSchema(name) as ValidateFunction;
  }
}
