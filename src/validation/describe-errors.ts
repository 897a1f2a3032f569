import type { ErrorObject } from 'ajv';
import type { Failure } from './validation.js';

/**
 * The greatest lengths of the path and the message of a failure, because a key of an output, or a pattern, can be megabytes.
 */
const MAX_PATH = 300;
const MAX_MESSAGE = 300;
const MAX_NAME = 80;

/**
 * Says where and why a validation failed. It never repeats values, because an output can contain what logs must not. It names
 * the members of the schema, and unexpected properties.
 */
export function describeErrors(errors: readonly ErrorObject[]): Failure {
  const last = errors.at(-1);
  if (last === undefined) return { path: '', message: 'does not match the schema' };
  let message = describe(last);
  let nameless = ruleOf(last);
  if (last.keyword === 'anyOf' || last.keyword === 'oneOf') {
    const closest = deepest(errors.slice(0, -1));
    if (closest !== undefined) {
      message += `; closest: ${clip(closest.instancePath, MAX_PATH)} ${describe(closest)}`;
      nameless += `; closest: ${ruleOf(closest)}`;
    }
  }
  const failure = { path: clip(last.instancePath, MAX_PATH), message: clip(message, MAX_MESSAGE) };
  return nameless === message ? failure : { ...failure, nameless: clip(nameless, MAX_MESSAGE) };
}

function describe(error: ErrorObject): string {
  const name = error.params.additionalProperty ?? error.params.unevaluatedProperty;
  const rule = ruleOf(error);
  return typeof name === 'string' ? `${rule}: ${JSON.stringify(clip(name, MAX_NAME))}` : rule;
}

function ruleOf(error: ErrorObject): string {
  return error.message ?? `fails ${error.keyword}`;
}

/** Where several alternatives failed, the error that is deepest in the output. */
function deepest(errors: readonly ErrorObject[]): ErrorObject | undefined {
  let found: ErrorObject | undefined;
  for (const error of errors) {
    if (found === undefined || depth(error) > depth(found)) found = error;
  }
  return found;
}

function depth(error: ErrorObject): number {
  return error.instancePath.split('/').length;
}

export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`;
}
