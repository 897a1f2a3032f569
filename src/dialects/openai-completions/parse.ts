import type { JsonDocument } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { expectInput, expectNothingElse, inputsReader } from '../texts/text-inputs.js';
import { samplingParameters } from '../translate/parameters.js';
import {
  expectArrayOf,
  expectBoolean,
  expectInteger,
  expectMembers,
  expectNonEmptyString,
  expectNumber,
  expectObject,
  expectString,
  expectStringOr,
  orNull,
} from '../wire/check.js';
import { asNumber, asObject } from '../wire/values.js';
import * as members from './members.js';

const expectCompletionsRequest = expectMembers(
  {
    model: expectNonEmptyString,
    prompt: orNull((value, path) => {
      // An empty prompt asks for any text.
      if (value !== '') expectInput(expectNothingElse)(value, path);
    }),
    suffix: orNull(expectString),
    stream: orNull(expectBoolean),
    stream_options: orNull(expectMembers({ include_usage: orNull(expectBoolean) })),
    n: orNull(expectInteger(1)),
    best_of: orNull(expectInteger(1)),
    metadata: orNull(expectObject),
    temperature: orNull(expectNumber),
    top_p: orNull(expectNumber),
    frequency_penalty: orNull(expectNumber),
    presence_penalty: orNull(expectNumber),
    max_tokens: orNull(expectInteger(0)),
    seed: orNull(expectNumber),
    stop: orNull(expectStringOr(expectArrayOf(expectString), 'a string or an array of strings')),
  },
  ['model'],
);

const readInputs = inputsReader('prompt', members.request, expectCompletionsRequest);

export function* readRequest(document: JsonDocument): Steps<RequestView> {
  const { value } = document;
  return {
    ...(yield* readInputs(document)),
    stream: value.stream === true,
    streamUsage: asObject(value.stream_options)?.include_usage === true,
    choiceCount: asNumber(value.n) ?? 1,
    parameters: samplingParameters(value, { stop_sequences: value.stop ?? null }),
  };
}
