import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../../core/errors.js';
import { pointerToken } from '../../../core/json.js';
import { didYouMean } from '../../../core/texts/did-you-mean.js';

/**
 * Turns ajv's errors about a plugin's configuration into messages for the author of the configuration. Paths are JSON
 * pointers below `path`.
 */
export function configMistakes(errors: readonly ErrorObject[], path: string): ErrorDetail[] {
  const choices = errors.filter((error) => membersToChooseFrom(error) !== undefined);
  return errors
    .filter((error) => error.keyword !== 'if' && !choices.some((choice) => isBranchOf(error, choice)))
    .map((error) => ({ path: `${path}${error.instancePath}${memberOf(error)}`, message: messageOf(error) }));
}

/**
 * The names of members of which at least one is required. Undefined where the alternatives of the schema also require
 * other things.
 */
function membersToChooseFrom({ keyword, schema }: ErrorObject): string[] | undefined {
  if ((keyword !== 'oneOf' && keyword !== 'anyOf') || !Array.isArray(schema)) return undefined;
  const members = (schema as { required?: string[] }[]).map((alternative) =>
    Object.keys(alternative).join() === 'required' && alternative.required?.length === 1
      ? alternative.required[0]
      : undefined,
  );
  return members.includes(undefined) ? undefined : (members as string[]);
}

/** Whether an error is about one alternative of a choice (`anyOf` or `oneOf`), which has an error of its own. */
function isBranchOf(error: ErrorObject, choice: ErrorObject): boolean {
  return error.instancePath === choice.instancePath && error.schemaPath.startsWith(`${choice.schemaPath}/`);
}

/**
 * The path to the missing or unknown member, as for the keys of sluice.yaml; empty where the error is not about a
 * member.
 */
function memberOf({ params }: ErrorObject): string {
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof member === 'string' ? `/${pointerToken(member)}` : '';
}

/** A hint at the known word that is probably meant. */
function suggestion({ params, data, keyword, parentSchema }: ErrorObject): string {
  if (keyword === 'enum') {
    const known = (params.allowedValues as unknown[]).filter((value) => typeof value === 'string');
    return typeof data === 'string' ? didYouMean(data, known) : '';
  }
  const member: unknown = params.additionalProperty ?? params.unevaluatedProperty;
  const known = Object.keys((parentSchema?.properties ?? {}) as object);
  return typeof member === 'string' ? didYouMean(member, known) : '';
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message = 'is not valid' } = error;
  const members = membersToChooseFrom(error);
  if (members !== undefined) {
    return `must have ${keyword === 'oneOf' ? 'exactly ' : ''}one of ${members.join(', ')}`;
  }
  switch (keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return `is not known here${suggestion(error)}`;
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).join(', ')}${suggestion(error)}`;
    default:
      // ajv's own message is clear enough for the other keywords.
      return message;
  }
}
