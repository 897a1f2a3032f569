import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { MediaSource, Part } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { addOther, addPart, emptyParts, endsStep, type Place, type PlacedParts } from '../texts/fields.js';
import { readCacheControl } from '../translate/cache-control.js';
import { readDataUrl } from '../translate/media.js';
import type { Path } from '../wire/splice.js';
import { asArray, asObject, asString } from '../wire/values.js';
import { part as known } from './members.js';

/** Reads the content of a message: a string or an array of parts. */
export function* readContent(content: JsonValue | undefined, path: Path): Steps<PlacedParts> {
  const placed = emptyParts();
  if (typeof content === 'string') {
    addPart(placed, { type: 'text', text: content }, { path });
  } else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) {
      const place = [...path, index];
      if (isJsonObject(part) && part.type === 'thinking') {
        for (const { text, path: at } of thinkingTexts(part, place)) {
          addPart(placed, { type: 'reasoning', text }, { path: at });
        }
        continue;
      }
      const read = isJsonObject(part) ? toPart(part, place) : undefined;
      if (read === undefined) yield* addOther(placed, part, place, known);
      else addPart(placed, ...read);
      if (endsStep(index)) yield;
    }
  }
  return placed;
}

/** The texts of a part of an answer in the form of Mistral's thinking models, where thoughts are a list of parts. */
export function thinkingTexts(
  part: JsonValue,
  path: Path,
): { kind: 'text' | 'reasoning'; text: string; path: Path }[] {
  if (!isJsonObject(part)) return [];
  if (part.type !== 'thinking') {
    const text = asString(part.text);
    return text === undefined ? [] : [{ kind: 'text', text, path: [...path, 'text'] }];
  }
  const { thinking } = part;
  if (typeof thinking === 'string')
    return [{ kind: 'reasoning', text: thinking, path: [...path, 'thinking'] }];
  return asArray(thinking).flatMap((piece, index) => {
    const text = isJsonObject(piece) ? asString(piece.text) : undefined;
    const at = [...path, 'thinking', index, 'text'];
    return text === undefined ? [] : [{ kind: 'reasoning' as const, text, path: at }];
  });
}

function toPart(part: JsonObject, path: Path): [Part, ...Place[]] | undefined {
  switch (part.type) {
    case 'text':
      if (typeof part.text !== 'string') break;
      return [{ type: 'text', text: part.text, ...readCacheControl(part) }, { path: [...path, 'text'] }];
    case 'refusal':
      if (typeof part.refusal !== 'string') break;
      return [{ type: 'refusal', text: part.refusal }, { path: [...path, 'refusal'] }];
    case 'image_url': {
      const image = asObject(part.image_url);
      const url = asString(image?.url);
      if (url === undefined) break;
      const detail = asString(image?.detail);
      const source: MediaSource = readDataUrl(url) ?? { kind: 'url', url };
      const more = { ...(detail === undefined ? {} : { detail }), ...readCacheControl(part) };
      return [{ type: 'image', source, ...more }];
    }
    case 'file': {
      const document = toDocument(asObject(part.file) ?? {});
      if (document === undefined) break;
      return [{ ...document, ...readCacheControl(part) }];
    }
    default:
      // A part that only this API knows.
      break;
  }
  return undefined;
}

function toDocument(file: JsonObject): Part | undefined {
  const filename = asString(file.filename);
  const name = filename === undefined ? {} : { filename };
  const id = asString(file.file_id);
  if (id !== undefined) return { type: 'document', source: { kind: 'file', id }, ...name };
  const data = asString(file.file_data);
  if (data === undefined) return undefined;
  const source = readDataUrl(data) ?? { kind: 'base64', mediaType: 'application/pdf', data };
  return { type: 'document', source, ...name };
}
