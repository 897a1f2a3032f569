import { editMembers, type JsonDocument, type JsonObject, memberText } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { CallAddress, RequestView, TokenCounting } from '../dialect.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import { checkShape, expectObject, refuse } from '../wire/check.js';
import { asObject } from '../wire/values.js';
import { request } from './members.js';
import { keyOf } from './names.js';
import { adaptRequest as adaptGenerateRequest } from './render.js';
import { expectGenerateRequest } from './shape.js';

/**
 * Counts the tokens of a request before it is sent (`:countTokens`). The body has either contents alone, or a
 * complete request of generateContent in a member.
 */
export const counting: TokenCounting = { openRequest, readRequest, adaptRequest, writeCount };

/**
 * The complete request inside the body. Members beside it are refused, because nobody would count them and no guard
 * would see them.
 */
function openRequest(document: JsonDocument): JsonDocument {
  const key = keyOf(document.value, 'generateContentRequest');
  const whole = document.value[key] ?? null;
  if (whole === null) return document;
  expectObject(whole, key);
  const beside = Object.entries(document.value).find(
    ([name, value]) => name !== key && name !== 'model' && value !== null,
  );
  if (beside !== undefined) refuse(beside[0], `'${beside[0]}' must be inside '${key}', not beside it.`);
  // The outline belongs to the text around it, so it cannot be used.
  const text = memberText(document.text, key)!;
  return { ...document, text, value: whole as JsonObject, outline: undefined };
}

function* readRequest(
  { value }: JsonDocument,
  address: CallAddress = { model: '', stream: false },
): Steps<{ model: string; metadata: JsonObject | null }> {
  yield* refuseLookalikes(value, request);
  checkShape(expectGenerateRequest, value);
  return { model: address.model, metadata: asObject(value.metadata) ?? null };
}

/** The body in the form that the API accepts: apart from contents, it counts only what is in a complete request. */
function adaptRequest(document: JsonDocument, model: string, view: RequestView): string {
  const text = adaptGenerateRequest(document, view, { model, outputSchema: 'native', askForUsage: false });
  const alone = Object.keys(document.value).every((key) => ['contents', 'model', 'metadata'].includes(key));
  if (alone) return text;
  const named = editMembers(text, new Map([['model', JSON.stringify(`models/${model}`)]]));
  return `{"generateContentRequest":${named}}`;
}

function writeCount(inputTokens: number): string {
  return JSON.stringify({ totalTokens: inputTokens });
}
