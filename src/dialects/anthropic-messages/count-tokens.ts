import { editMembers, type JsonDocument, type JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { TokenCounting } from '../dialect.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import { checkShape } from '../wire/check.js';
import { asObject } from '../wire/values.js';
import { request } from './members.js';
import { expectCountTokensRequest } from './shape.js';

/** Counts the tokens of a request before it is sent (`/messages/count_tokens`). */
export const counting: TokenCounting = { readRequest, adaptRequest, writeCount };

function* readRequest(document: JsonDocument): Steps<{
  model: string;
  metadata: JsonObject | null;
}> {
  yield* refuseLookalikes(document.value, request);
  checkShape(expectCountTokensRequest, document.value);
  return { model: document.value.model as string, metadata: asObject(document.value.metadata) ?? null };
}

/** This call of the API takes no metadata. */
function adaptRequest(document: JsonDocument, model: string): string {
  return editMembers(
    document.text,
    new Map([
      ['model', JSON.stringify(model)],
      ['metadata', undefined],
    ]),
  );
}

function writeCount(inputTokens: number): string {
  return JSON.stringify({ input_tokens: inputTokens });
}
