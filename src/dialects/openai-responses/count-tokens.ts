import type { JsonDocument, JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView, TokenCounting } from '../dialect.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import { checkShape } from '../wire/check.js';
import { asObject } from '../wire/values.js';
import { request } from './members.js';
import { adaptRequest as adaptResponsesRequest } from './render.js';
import { expectResponsesMembers } from './shape.js';

/** Counting the tokens of a response's input before it is sent (`POST /responses/input_tokens`). */
export const counting: TokenCounting = { readRequest, adaptRequest, writeCount };

function* readRequest(document: JsonDocument): Steps<{ model: string; metadata: JsonObject | null }> {
  yield* refuseLookalikes(document.value, request);
  checkShape(expectResponsesMembers, document.value);
  return { model: document.value.model as string, metadata: asObject(document.value.metadata) ?? null };
}

/** The API takes no metadata here. */
function adaptRequest(document: JsonDocument, model: string, view: RequestView): string {
  return adaptResponsesRequest(document, view, { model, outputSchema: 'native', askForUsage: false });
}

function writeCount(inputTokens: number): string {
  return JSON.stringify({ object: 'response.input_tokens', input_tokens: inputTokens });
}
