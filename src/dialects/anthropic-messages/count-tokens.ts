import { editMembers, type JsonDocument, type JsonObject } from '../../core/json.js';
import { asObject } from '../helpers/fields.js';
import { refuseLookalikes } from '../helpers/lookalikes.js';
import { request } from './members.js';
import { isCountTokensRequest } from './shape.js';

/*
 * Counting the tokens of a message before it is sent: the same body without the settings of its answer.
 */

/** The endpoint's name, and what chooses among its models. Throws `invalid_request` for what is no valid request. */
export function readCountTokensRequest(document: JsonDocument): {
  model: string;
  metadata: JsonObject | null;
} {
  refuseLookalikes(document.value, request);
  isCountTokensRequest(document.value, '');
  return { model: document.value.model as string, metadata: asObject(document.value.metadata) ?? null };
}

/** The body for an Anthropic provider. The API takes no metadata here. */
export function adaptCountTokensRequest(document: JsonDocument, model: string): string {
  return editMembers(
    document.text,
    new Map([
      ['model', JSON.stringify(model)],
      ['metadata', undefined],
    ]),
  );
}

/** The answer where the provider cannot count and the number is an estimate. */
export function writeTokenCount(inputTokens: number): string {
  return JSON.stringify({ input_tokens: inputTokens });
}
