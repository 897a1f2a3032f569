import type { JsonDocument } from '../../core/json.js';
import type { RequestView } from '../dialect.js';
import {
  hasMembers,
  isArrayOf,
  isBoolean,
  isInteger,
  isNonEmptyString,
  isNumber,
  isObject,
  isString,
  isStringOr,
  orNull,
} from '../helpers/check.js';
import { asNumber, asObject } from '../helpers/fields.js';
import { refuseLookalikes } from '../helpers/lookalikes.js';
import { samplingParameters } from '../helpers/parameters.js';
import { isInput, isNothingElse, tokensAt } from '../helpers/text-inputs.js';
import * as members from './members.js';

const isCompletionsRequest = hasMembers(
  {
    model: isNonEmptyString,
    prompt: orNull((value, path) => {
      // An empty prompt asks for any text.
      if (value !== '') isInput(isNothingElse)(value, path);
    }),
    suffix: orNull(isString),
    stream: orNull(isBoolean),
    stream_options: orNull(hasMembers({ include_usage: orNull(isBoolean) })),
    n: orNull(isInteger(1)),
    best_of: orNull(isInteger(1)),
    metadata: orNull(isObject),
    temperature: orNull(isNumber),
    top_p: orNull(isNumber),
    frequency_penalty: orNull(isNumber),
    presence_penalty: orNull(isNumber),
    max_tokens: orNull(isInteger(0)),
    seed: orNull(isNumber),
    stop: orNull(isStringOr(isArrayOf(isString), 'a string or an array of strings')),
  },
  ['model'],
);

export function readRequest({ value }: JsonDocument): RequestView {
  refuseLookalikes(value, members.request);
  isCompletionsRequest(value, '');
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
