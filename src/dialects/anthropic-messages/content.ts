import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { MediaSource, Part } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import {
  addAll,
  addOther,
  addPart,
  emptyParts,
  endsStep,
  type Place,
  type PlacedParts,
} from '../texts/fields.js';
import { readCacheControl } from '../translate/cache-control.js';
import { openReasoning, REDACTED } from '../translate/signature.js';
import type { Path } from '../wire/splice.js';
import { asObject, asString } from '../wire/values.js';
import { block as known } from './members.js';

/** Reads content blocks, or the string that stands for one text block. The result of a tool contains no other results. */
export function* readContent(
  content: JsonValue | undefined,
  path: Path,
  ofResult = false,
): Steps<PlacedParts> {
  const placed = emptyParts();
  if (typeof content === 'string') {
    addPart(placed, { type: 'text', text: content }, { path });
  } else if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) {
      yield* readBlock(block, [...path, index], placed, ofResult);
      if (endsStep(index)) yield;
    }
  }
  return placed;
}

function* readBlock(block: JsonValue, path: Path, placed: PlacedParts, ofResult: boolean): Steps {
  if (isJsonObject(block) && block.type === 'tool_result' && !ofResult) {
    yield* readToolResult(block, path, placed);
    return;
  }
  if (isJsonObject(block) && block.type === 'tool_use') {
    const [id, name] = [asString(block.id) ?? '', asString(block.name) ?? ''];
    const input = yield* stringifyInSteps(block.input ?? {});
    const place: Place = { path: [...path, 'input'], json: true };
    addPart(placed, { type: 'tool-call', id, name, arguments: input }, place);
    return;
  }
  const read = isJsonObject(block) ? toPart(block, path) : undefined;
  if (read === undefined) yield* addOther(placed, block, path, known);
  else addPart(placed, ...read);
}

function* readToolResult(block: JsonObject, path: Path, placed: PlacedParts): Steps {
  const content = yield* readContent(block.content, [...path, 'content'], true);
  const part: Part = {
    type: 'tool-result',
    callId: asString(block.tool_use_id) ?? '',
    parts: content.parts,
    ...readCacheControl(block),
  };
  if (block.is_error === true) part.isError = true;
  addAll(placed, { ...content, parts: [part] });
}

function toPart(block: JsonObject, path: Path): [Part, ...Place[]] | undefined {
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') return undefined;
      return [{ type: 'text', text: block.text, ...readCacheControl(block) }, { path: [...path, 'text'] }];
    case 'thinking': {
      const signature = asString(block.signature);
      const part: Part = { type: 'reasoning', text: asString(block.thinking) ?? '' };
      // An empty signature was written by us, for reasoning that had no proof.
      if (signature) part.signature = openReasoning(signature, 'anthropic.messages');
      return [part, { path: [...path, 'thinking'] }];
    }
    case 'redacted_thinking': {
      const signature = openReasoning(REDACTED + (asString(block.data) ?? ''), 'anthropic.messages');
      // This block has no text of its own, so a guard never writes to this place.
      return [{ type: 'reasoning', text: '', signature }, { path: [...path, 'data', 'text'] }];
    }
    case 'image': {
      const source = readSource(asObject(block.source));
      return source === undefined ? undefined : [{ type: 'image', source, ...readCacheControl(block) }];
    }
    case 'document':
      return readDocument(block, path);
    default:
      // Other kinds exist only in this API.
      break;
  }
  return undefined;
}

function readDocument(block: JsonObject, path: Path): [Part, ...Place[]] | undefined {
  const source = readSource(asObject(block.source));
  // A document with a `context` is left to its own API, because the neutral form has no place for that.
  if (source === undefined || typeof block.context === 'string') return undefined;
  const part: Part = { type: 'document', source, ...readCacheControl(block) };
  if (typeof block.title === 'string') part.title = block.title;
  return source.kind === 'text' ? [part, { path: [...path, 'source', 'data'] }] : [part];
}

function readSource(source: JsonObject | undefined): MediaSource | undefined {
  const text = (key: string) => asString(source?.[key]);
  switch (source?.type) {
    case 'base64':
      return { kind: 'base64', mediaType: text('media_type') ?? '', data: text('data') ?? '' };
    case 'url':
      return { kind: 'url', url: text('url') ?? '' };
    case 'file':
      return { kind: 'file', id: text('file_id') ?? '' };
    case 'text':
      return { kind: 'text', text: text('data') ?? '' };
    default:
      // Other kinds of sources are unknown here.
      break;
  }
  return undefined;
}
