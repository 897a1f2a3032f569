import type { Answer } from '../../core/answer.js';
import type { JsonDocument, JsonValue } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { expectInput, inputsReader } from '../texts/text-inputs.js';
import { expectMembers, expectNonEmptyString, expectObject, expectString, orNull } from '../wire/check.js';
import { asObject, asString } from '../wire/values.js';
import * as members from './members.js';

const expectPart = expectMembers({ type: expectString, text: expectString, image_url: expectObject }, [
  'type',
]);

const expectModerationsRequest = expectMembers(
  { model: orNull(expectNonEmptyString), input: expectInput(expectPart), metadata: orNull(expectObject) },
  ['input'],
);

/** The API's default where a request names no model; here it is the name of an endpoint. */
const DEFAULT_MODEL = 'omni-moderation-latest';

const read = inputsReader('input', members.request, expectModerationsRequest);

export function* readRequest(document: JsonDocument): Steps<RequestView> {
  const view = yield* read(document);
  return { ...view, model: asString(document.value.model) ?? DEFAULT_MODEL };
}

/** An answer without choices, because verdicts are not text. The API reports no usage. */
// biome-ignore lint/correctness/useYield: one step, as of most answers.
export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || !Array.isArray(body.results)) return undefined;
  return { id: asString(body.id) ?? '', model: asString(body.model) ?? '', choices: [] };
}
