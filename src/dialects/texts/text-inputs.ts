import {
  editMembers,
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
} from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RenderTarget, RequestView } from '../dialect.js';
import { refuseLookalikes } from '../members/lookalikes.js';
import type { Members } from '../members/members.js';
import { type Check, checkShape, expectArrayOf, expected, refuse } from '../wire/check.js';
import type { Path } from '../wire/splice.js';
import { asObject, asString } from '../wire/values.js';
import { addContextTexts, withRequest } from './context-texts.js';
import { addPart, emptyParts, endsStep, type PlacedMessage, type PlacedParts, toMessage } from './fields.js';
import { guardedRequests } from './guarded-requests.js';

/*
 * Requests with one text, or with a list of unrelated texts, in one member. Plugins see each as a user message. Token
 * numbers may replace a text.
 */

const INPUT = 'a string or an array of strings or token numbers, and not empty';

/** A text, or a list whose entries pass `entry`, or token numbers. */
export function expectInput(entry: Check): Check {
  return (value, path) => {
    if (typeof value === 'string' && value !== '') return;
    if (!Array.isArray(value) || value.length === 0) expected(path, INPUT, value);
    expectArrayOf((item, at) => {
      if (typeof item === 'string' || isToken(item)) return;
      if (Array.isArray(item)) expectTokens(item, at);
      else if (isJsonObject(item)) entry(item, at);
      else expectNothingElse(item, at);
    })(value, path);
  };
}

const isToken = (value: JsonValue) => typeof value === 'number' && Number.isInteger(value);

const expectTokens: Check = (value, path) => {
  const wrong = (value as JsonValue[]).findIndex((item) => !isToken(item));
  if (wrong !== -1) refuse(`${path}[${wrong}]`, `'${path}[${wrong}]' must be the number of a token.`);
};

/** Throws. For an API whose list allows only texts and tokens. */
export const expectNothingElse: Check = (_value, path) =>
  refuse(path, `'${path}' must be a string, or token numbers.`);

/** The place of token numbers; undefined where all inputs are text. */
function tokensAt(value: JsonValue | undefined, name: string): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const at = value.findIndex((item) => typeof item === 'number' || Array.isArray(item));
  if (at === -1) return undefined;
  return typeof value[at] === 'number' ? name : `${name}[${at}]`;
}

function* placedInputs(request: JsonObject, name: string, members: Members): Steps<PlacedMessage[]> {
  const value = request[name];
  const items = Array.isArray(value) ? value : [value];
  const path = (index: number) => (Array.isArray(value) ? [name, index] : [name]);
  const messages: PlacedMessage[] = [];
  for (const [index, item] of items.entries()) {
    const placed = emptyParts();
    if (typeof item === 'string') addPart(placed, { type: 'text', text: item }, { path: path(index) });
    else if (isJsonObject(item)) yield* readPart(placed, item, path(index), members);
    if (placed.parts.length > 0) messages.push(toMessage('user', placed));
    if (endsStep(index)) yield;
  }
  return yield* withRequest(messages, request, members, [name]);
}

/** A text or a picture in an object of its own. */
function* readPart(placed: PlacedParts, item: JsonObject, path: Path, members: Members): Steps {
  const text = asString(item.text);
  if (text !== undefined) addPart(placed, { type: 'text', text }, { path: [...path, 'text'] });
  const known = members.known.get(String(path[0]));
  if (known !== undefined) yield* addContextTexts(placed, item, path, known);
}

/** Creates the `readRequest` of such a dialect, which reads only this member. */
export function inputsReader(name: string, members: Members, expectRequest: Check) {
  return function* readRequest({ value }: JsonDocument): Steps<RequestView> {
    yield* refuseLookalikes(value, members);
    checkShape(expectRequest, value);
    return {
      model: value.model as string,
      stream: false,
      metadata: asObject(value.metadata) ?? null,
      store: false,
      streamUsage: false,
      choiceCount: 1,
      tokensAt: tokensAt(value[name], name),
      parameters: {},
    };
  };
}

/** Creates the parts of a dialect whose texts are in the member of this name. */
export function textInputs(name: string, members: Members) {
  return {
    conversation: { standing: [], turns: [name], needed: [] },
    ...guardedRequests((request) => placedInputs(request, name, members)),
  };
}

/** Creates the `adaptRequest` of such a dialect, with further changes. */
export function adaptInputs(
  document: JsonDocument,
  _view: RequestView,
  { model }: RenderTarget,
  changes: Record<string, string> = {},
): string {
  const all = { model: JSON.stringify(model), metadata: undefined, ...changes };
  return editMembers(document.text, new Map(Object.entries(all)));
}
