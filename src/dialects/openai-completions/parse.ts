import type { JsonDocument } from '../../core/json.js';
import type { RequestView } from '../dialect.js';
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
} from '../helpers/check.js';
import { asNumber, asObject } from '../helpers/fields.js';
import { refuseLookalikes } from '../helpers/lookalikes.js';
import { samplingParameters } from '../helpers/parameters.js';
import { expectInput, expectNothingElse, tokensAt } from '../helpers/text-inputs.js';
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

export function readRequest({ value }: JsonDocument): RequestView {
  refuseLookalikes(value, members.request);
  expectCompletionsRequest(value, '');
  return {
    model: value.model as string,
    stream: value.stream === true,
    metadata: asObject(value.metadata) ?? null,
    store: false,
    streamUsage: asObject(value.stream_options)?.include_usage === true,
    choiceCount: asNumber(value.n) ?? 1,
    tokensAt: tokensAt(value.prompt, 'prompt'),
    parameters: samplingParameters({ ...value, stop_sequences: value.stop ?? null }),
  };
}
