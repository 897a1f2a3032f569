import type { Answer } from '../../core/answer.js';
import type { JsonValue } from '../../core/json.js';
import { expectMembers, expectNonEmptyString, expectObject, expectString, orNull } from '../helpers/check.js';

import { asObject, asString, type Steps } from '../helpers/fields.js';
import { expectInput, inputsReader } from '../helpers/text-inputs.js';
import * as members from './members.js';

const expectPart = expectMembers({ type: expectString, text: expectString, image_url: expectObject }, [
  'type',
]);

const expectModerationsRequest = expectMembers(
  { model: expectNonEmptyString, input: expectInput(expectPart), metadata: orNull(expectObject) },
  ['model', 'input'],
);

export const readRequest = inputsReader('input', members.request, expectModerationsRequest);

/** An answer without choices: its verdicts are no text. The API tells no usage. */
export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || !Array.isArray(body.results)) return undefined;
  return { id: asString(body.id) ?? '', model: asString(body.model) ?? '', choices: [] };
}
