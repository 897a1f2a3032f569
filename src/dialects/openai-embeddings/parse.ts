import type { Answer } from '../../core/answer.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Usage } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { expectInput, inputsReader } from '../texts/text-inputs.js';
import {
  expectInteger,
  expectMembers,
  expectNonEmptyString,
  expectObject,
  expectString,
  orNull,
} from '../wire/check.js';
import { asNumber, asObject, asString } from '../wire/values.js';
import * as members from './members.js';

const expectEmbeddingsRequest = expectMembers(
  {
    model: expectNonEmptyString,
    input: expectInput(expectObject),
    encoding_format: orNull(expectString),
    dimensions: orNull(expectInteger(1)),
    metadata: orNull(expectObject),
  },
  ['model', 'input'],
);

export const readRequest = inputsReader('input', members.request, expectEmbeddingsRequest);

/** An answer without choices, because its vectors are for the client alone. */
// biome-ignore lint/correctness/useYield: one step, as of most answers.
export function* readAnswer(value: JsonValue): Steps<Answer | undefined> {
  const body = asObject(value);
  if (body === undefined || !Array.isArray(body.data)) return undefined;
  const answer: Answer = { id: asString(body.id) ?? '', model: asString(body.model) ?? '', choices: [] };
  const usage = readUsage(body);
  if (usage !== undefined) answer.usage = usage;
  return answer;
}

/** Vectors are not tokens, so the output has none. */
function readUsage(body: JsonObject): Usage | undefined {
  const usage = asObject(body.usage);
  const inputTokens = asNumber(usage?.prompt_tokens) ?? asNumber(usage?.total_tokens);
  return inputTokens === undefined ? undefined : { inputTokens, outputTokens: 0 };
}
