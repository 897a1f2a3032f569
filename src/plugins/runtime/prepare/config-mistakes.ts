import type { ErrorObject } from 'ajv/dist/2020.js';
import type { ErrorDetail } from '../../../core/errors.js';
import { pointerToken } from '../../../core/json.js';

/** What ajv has against a plugin's configuration, in words for who wrote it. Paths are JSON pointers below `path`. */
export function configMistakes(errors: readonly ErrorObject[], path: string): ErrorDetail[] {
  const choices = errors.filter((error) => membersToChooseFrom(error) !== undefined);
  return errors
    .filter((error) => error.keyword !== 'if' && !choices.some((choice) => isBranchOf(error, choice)))
    .map((error) => ({ path: `${path}${error.instancePath}${memberOf(error)}`, message: messageOf(error) }));
}

/** The members of which a value must have one, where that is all that its alternatives ask for. */
function membersToChooseFrom({ keyword, schema }: ErrorObject): string[] | undefined {
  if ((keyword !== 'oneOf' && keyword !== 'anyOf') || !Array.isArray(schema)) return undefined;
  const members = (schema as { required?: string[] }[]).map((alternative) =>
    Object.keys(alternative).join() === 'required' && alternative.required?.length === 1
      ? alternative.required[0]
      : undefined,
  );
  return members.includes(undefined) ? undefined : (members as string[]);
}

/** Whether an error says of one alternative what the choice says of all. */
function isBranchOf(error: ErrorObject, choice: ErrorObject): boolean {
  return error.instancePath === choice.instancePath && error.schemaPath.startsWith(`${choice.schemaPath}/`);
}

/** The member that is missing or not known is the place of the mistake, as it is for the file's own keys. */
function memberOf({ params }: ErrorObject): string {
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty;
  return typeof member === 'string' ? `/${pointerToken(member)}` : '';
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
      return 'is not known here';
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case 'enum':
      return `${message}: ${(params.allowedValues as unknown[]).join(', ')}`;
    default:
      // Of the other keywords ajv's own words are plain enough.
      return message;
  }
}
