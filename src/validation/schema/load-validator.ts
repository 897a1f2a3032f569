import type { ErrorObject } from 'ajv';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import type { Budget } from '../pattern/budget.js';
import { createPattern } from '../pattern/pattern.js';
import { createFormats } from './formats.js';
import { createJsonEqual } from './json-equal.js';

/** A compiled schema. `errors` are those of the last call that returned false. */
export interface Validator {
  (output: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/** The module names under which generated code requires our formats and patterns. */
export const FORMATS_MODULE = 'sluice:formats';
export const PATTERNS_MODULE = 'sluice:patterns';

/**
 * Turns code that ajv generated into functions. The modules that it requires are provided here, so that the same code counts
 * its work on the main thread and runs without a budget in a thread that can be terminated.
 */
export function createValidatorLoader(budget: Budget): (code: string) => Validator {
  const modules = new Map<string, unknown>([
    ['ajv/dist/runtime/equal', { default: createJsonEqual(budget) }],
    ['ajv/dist/runtime/ucs2length', { default: ucs2length.default ?? ucs2length }],
    [FORMATS_MODULE, createFormats(budget)],
    [PATTERNS_MODULE, { createPattern: (source: string) => createPattern(source, budget) }],
  ]);
  const requireModule = (name: string): unknown => {
    const found = modules.get(name);
    if (found === undefined) throw new Error(`Generated code asks for an unknown module: ${name}`);
    return found;
  };
  return (code) => {
    const module = { exports: undefined as unknown };
    new Function('require', 'module', code)(requireModule, module);
    return module.exports as Validator;
  };
}
