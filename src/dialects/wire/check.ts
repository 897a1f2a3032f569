import { SluiceError } from '../../core/errors.js';
import { isJsonObject, type JsonValue } from '../../core/json.js';

/*
 * Checks of the shape of requests. A check looks at one value and throws `invalid_request` (`invalid_json_schema` for
 * a schema) with the path of the mistake and what was expected. Members that a shape does not name always pass.
 */

export type Check = (value: JsonValue, path: string) => void;

/** Stands in place of a path that nobody will read. */
const UNTOLD = '\0';

/**
 * Checks a whole body. Paths are only built after a first check failed, because a valid body may have a hundred
 * thousand places.
 */
export function checkShape(check: Check, body: JsonValue): void {
  try {
    check(body, UNTOLD);
  } catch (mistake) {
    check(body, '');
    throw mistake;
  }
}

function within(path: string, step: string | number): string {
  if (path === UNTOLD) return UNTOLD;
  if (typeof step === 'number') return `${path}[${step}]`;
  return path === '' ? step : `${path}.${step}`;
}

export function refuse(path: string, message: string): never {
  throw new SluiceError('invalid_request', message, { param: path });
}

/** Throws `invalid_request` for a field that cannot be translated to another API. */
export function refuseTranslation(path: string, why: string): never {
  refuse(path, `'${path}' cannot be carried over to the API of the model behind this endpoint: ${why}.`);
}

/** Throws for a value that is not `what`. */
export function expected(path: string, what: string, value: JsonValue | undefined): never {
  refuse(
    path,
    `'${path}' must be ${what}, but ${value === undefined ? 'it is missing' : `is ${describe(value)}`}.`,
  );
}

function describe(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  switch (typeof value) {
    case 'object':
      return 'an object';
    case 'string':
      // Long strings are content, which does not belong in an error.
      return value.length <= 40 ? `the string ${JSON.stringify(value)}` : 'a string';
    default:
      return `the ${typeof value} ${value}`;
  }
}

export const expectString: Check = (value, path) => {
  if (typeof value !== 'string') expected(path, 'a string', value);
};

export const expectBoolean: Check = (value, path) => {
  if (typeof value !== 'boolean') expected(path, 'true or false', value);
};

export const expectNumber: Check = (value, path) => {
  if (typeof value !== 'number') expected(path, 'a number', value);
};

export const expectObject: Check = (value, path) => {
  if (!isJsonObject(value)) expected(path, 'an object', value);
};

export function expectInteger(least: number): Check {
  return (value, path) => {
    if (typeof value !== 'number' || !Number.isInteger(value) || value < least) {
      expected(path, `an integer of at least ${least}`, value);
    }
  };
}

export function expectOneOf(...values: string[]): Check {
  return (value, path) => {
    if (typeof value !== 'string' || !values.includes(value)) {
      expected(path, `one of ${values.map((v) => `'${v}'`).join(', ')}`, value);
    }
  };
}

export function expectNonEmptyString(value: JsonValue, path: string): void {
  if (typeof value !== 'string' || value === '') expected(path, 'a string that is not empty', value);
}

export function orNull(check: Check): Check {
  return (value, path) => {
    if (value !== null) check(value, path);
  };
}

export function expectArrayOf(item: Check, least = 0): Check {
  return (value, path) => {
    if (!Array.isArray(value) || value.length < least) {
      expected(path, least > 0 ? 'an array that is not empty' : 'an array', value);
    }
    let index = 0;
    try {
      for (; index < value.length; index++) item(value[index]!, path);
    } catch {
      // The path of an entry is built only for a wrong entry, because a list can have a hundred thousand.
      item(value[index]!, within(path, index));
    }
  };
}

/** A value of one form where it is a string, else of the other. `what` describes both for the client. */
export function expectStringOr(other: Check, what: string): Check {
  return (value, path) => {
    if (typeof value === 'string') return;
    if (typeof value !== 'object' || value === null) expected(path, what, value);
    try {
      other(value, path);
    } catch (mistake) {
      // Whether the value itself is wrong, and not a part of it. Then the message must say that a string would have
      // been right too.
      const isWhole = mistake instanceof SluiceError && mistake.param === path && path !== UNTOLD;
      if (!isWhole) throw mistake;
      const isEmpty = Array.isArray(value) && value.length === 0;
      expected(path, isEmpty ? `${what}, and an array must not be empty` : what, value);
    }
  };
}

/** An object with these members; those in `required` must be present. */
export function expectMembers(members: Record<string, Check>, required: readonly string[] = []): Check {
  const checks = Object.entries(members);
  return (value, path) => {
    if (!isJsonObject(value)) expected(path, 'an object', value);
    for (const [key, check] of checks) {
      if (Object.hasOwn(value, key)) check(value[key]!, within(path, key));
      else if (required.includes(key)) refuse(within(path, key), `'${within(path, key)}' is required.`);
    }
  };
}

/** Different members for different values of `key`. Other values of it pass. */
export function byMember(key: string, checks: Record<string, Check>): Check {
  return (value, path) => {
    if (!isJsonObject(value)) expected(path, 'an object', value);
    const name = value[key];
    if (typeof name !== 'string') expected(`${path}.${key}`, 'a string', name);
    if (Object.hasOwn(checks, name)) checks[name]!(value, path);
  };
}

/** A JSON Schema is an object or a boolean. */
export const expectSchema: Check = (value, path) => {
  if (isJsonObject(value) || typeof value === 'boolean') return;
  throw new SluiceError(
    'invalid_json_schema',
    `'${path}' must be a JSON Schema, which is an object, true or false, but is ${describe(value)}.`,
    { param: path },
  );
};
