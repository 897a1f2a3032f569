import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { MediaSource, Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { addOther, addPart, emptyParts, endsStep, type Place, type PlacedParts } from '../texts/fields.js';
import type { Path } from '../wire/splice.js';
import { asArray, asObject, asString } from '../wire/values.js';
import * as members from './members.js';
import { keyOf, memberOf } from './names.js';
import { readProof } from './proofs.js';

/**
 * Assigns ids to calls, which the API may leave out. A result without an id then belongs to a call of the same name.
 */
export interface CallIds {
  ofCall(name: string, id: string | undefined): string;
  ofResult(name: string, id: string | undefined): string;
}

/**
 * In a conversation a result without an id answers the first call with its name that has no result yet. Google's
 * client for Python sends back the ids of calls, but writes none into results.
 */
export function conversationIds(): CallIds {
  /** The calls without a result, in order, by the name of the function. */
  const open = new Map<string, Set<string>>();
  const counts = new Map<string, number>();
  const numbered = (kind: string, name: string) => {
    const count = (counts.get(kind + name) ?? 0) + 1;
    counts.set(kind + name, count);
    return `${name}-${count}`;
  };
  return {
    ofCall(name, given) {
      const id = given || numbered('call ', name);
      const waiting = open.get(name);
      if (waiting === undefined) open.set(name, new Set([id]));
      else waiting.add(id);
      return id;
    },
    ofResult(name, given) {
      const waiting = open.get(name);
      const id = given || (waiting?.values().next().value ?? numbered('result ', name));
      waiting?.delete(id);
      return id;
    },
  };
}

/** Ids for the calls of an answer. An id is made of the answer's id and a number, so that ids differ between answers. */
export function answerIds(answerId: string): CallIds {
  let count = 0;
  const next = (_name: string, id: string | undefined) => id || `call-${answerId}-${count++}`;
  return { ofCall: next, ofResult: next };
}

/** The parts of one content, as neutral parts. `path` is the path of its list of parts. */
export function* readParts(parts: JsonValue | undefined, path: Path, ids: CallIds): Steps<PlacedParts> {
  const placed = emptyParts();
  for (const [index, part] of asArray(parts).entries()) {
    const at = [...path, index];
    const known = isJsonObject(part) ? toParts(part, at, ids) : undefined;
    if (known === undefined) yield* addOther(placed, part, at, members.part);
    else for (const [read, ...places] of known) addPart(placed, read, ...places);
    if (endsStep(index)) yield;
  }
  return placed;
}

function toParts(part: JsonObject, path: Path, ids: CallIds): [Part, ...Place[]][] | undefined {
  const signature = readProof(asString(memberOf(part, 'thoughtSignature')));
  if (typeof part.text === 'string') return readText(part, part.text, path, signature);
  const call = asObject(memberOf(part, 'functionCall'));
  if (call !== undefined) {
    const proof = signature === undefined ? [] : [proofAlone(signature, path)];
    return [...proof, readCall(call, [...path, keyOf(part, 'functionCall')], ids)];
  }
  const response = asObject(memberOf(part, 'functionResponse'));
  if (response !== undefined) {
    // The neutral form has no place for pictures and files in a function's response.
    if (response.parts !== undefined) return undefined;
    return [readResult(response, [...path, keyOf(part, 'functionResponse')], ids)];
  }
  const media = readMedia(part);
  return media === undefined ? undefined : [[media]];
}

function readText(
  part: JsonObject,
  text: string,
  path: Path,
  signature: string | undefined,
): [Part, ...Place[]][] {
  const place = { path: [...path, 'text'] };
  if (part.thought === true) {
    return [[{ type: 'reasoning', text, ...(signature === undefined ? {} : { signature }) }, place]];
  }
  const proof = signature === undefined ? [] : [proofAlone(signature, path)];
  return [...proof, [{ type: 'text', text }, place]];
}

/** A proof on a text or a call belongs to reasoning that is not shown. */
function proofAlone(signature: string, path: Path): [Part, Place] {
  return [{ type: 'reasoning', text: '', signature }, { path: [...path, 'thought'] }];
}

function readCall(call: JsonObject, path: Path, ids: CallIds): [Part, Place] {
  const name = asString(call.name) ?? '';
  const id = ids.ofCall(name, asString(call.id));
  const args = JSON.stringify(call.args ?? {});
  return [
    { type: 'tool-call', id, name, arguments: args },
    { path: [...path, 'args'], json: true },
  ];
}

function readResult(response: JsonObject, path: Path, ids: CallIds): [Part, Place] {
  const callId = ids.ofResult(asString(response.name) ?? '', asString(response.id));
  const given = asObject(response.response) ?? {};
  const [name, only, ...more] = Object.entries(given).flat();
  // By convention, a function's plain text is in a member with one of these names.
  if ((name === 'output' || name === 'error') && typeof only === 'string' && more.length === 0) {
    const part: Part = { type: 'tool-result', callId, parts: [{ type: 'text', text: only }] };
    if (name === 'error') part.isError = true;
    return [part, { path: [...path, 'response', name] }];
  }
  const text = JSON.stringify(given);
  return [
    { type: 'tool-result', callId, parts: [{ type: 'text', text }] },
    { path: [...path, 'response'], json: true },
  ];
}

function readMedia(part: JsonObject): Part | undefined {
  const inline = asObject(memberOf(part, 'inlineData'));
  const file = asObject(memberOf(part, 'fileData'));
  const mediaType = asString(memberOf(inline ?? file, 'mimeType')) ?? '';
  const source: MediaSource | undefined = inline
    ? { kind: 'base64', mediaType, data: asString(inline.data) ?? '' }
    : file
      ? { kind: 'url', url: asString(memberOf(file, 'fileUri')) ?? '' }
      : undefined;
  if (source === undefined) return undefined;
  if (mediaType.startsWith('image/')) return { type: 'image', source };
  return /^(application\/pdf|text\/)/.test(mediaType) ? { type: 'document', source } : undefined;
}
