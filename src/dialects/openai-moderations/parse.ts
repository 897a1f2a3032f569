import type { Answer } from '../../core/answer.js';
import type { JsonDocument, JsonValue } from '../../core/json.js';
import type { RequestView } from '../dialect.js';
import { expectMembers, expectNonEmptyString, expectObject, expectString, orNull } from '../helpers/check.js';
import { asObject, asString } from '../helpers/fields.js';
import { refuseLookalikes } from '../helpers/lookalikes.js';
import { expectInput, tokensAt } from '../helpers/text-inputs.js';
import * as members from './members.js';

const expectPart = expectMembers({ type: expectString, text: expectString, image_url: expectObject }, [
  'type',
]);

const expectModerationsRequest = expectMembers(
  { model: expectNonEmptyString, input: expectInput(expectPart), metadata: orNull(expectObject) },
  ['model', 'input'],
);

export function readRequest({ value }: JsonDocument): RequestView {
  refuseLookalikes(value, members.request);
  expectModerationsRequest(value, '');
  return {
    model: value.model as string,
    stream: false,
    metadata: asObject(value.metadata) ?? null,
    store: false,
    streamUsage: false,
    choiceCount: 1,
    tokensAt: tokensAt(value.input, 'input'),
    parameters: {},
  };
}

/** An answer without choices: its verdicts are no text. The API tells no usage. */
export function readAnswer(value: JsonValue): Answer | undefined {
  const body = asObject(value);
  if (body === undefined || !Array.isArray(body.results)) return undefined;
  return { id: asString(body.id) ?? '', model: asString(body.model) ?? '', choices: [] };
}
