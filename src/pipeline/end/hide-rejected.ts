import { isJsonObject, type JsonDocument, type JsonObject, type JsonValue } from '../../core/json.js';
import type { PluginFinding } from '../../core/log-record.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import { STRUCTURE_MEMBERS } from '../../dialects/members/structure.js';
import { tagsOf } from '../../logs/tags.js';
import { REJECTED_TEXT } from '../../plugins/helpers/texts-in-steps.js';

/*
 * What a log hides of a request that a plugin rejected, besides the texts of its messages: pictures, audio and files
 * where the plugin rejected the request as a whole, and values of the metadata where the findings are in these.
 */

const VALUES_AT_ONCE = 500;

/** The document with every string in these members, such as `messages`, hidden. URLs and bytes of media are hidden too. */
export function* hideContents({ value }: JsonDocument, members: readonly string[]): Steps<JsonDocument> {
  const hidden: JsonObject = { ...value };
  const steps = { values: 0 };
  for (const name of members) {
    const member = value[name];
    if (member !== undefined) hidden[name] = yield* hide(member, steps);
  }
  return { text: yield* stringifyInSteps(hidden), value: hidden };
}

function* hide(value: JsonValue, steps: { values: number }): Steps<JsonValue> {
  if (++steps.values % VALUES_AT_ONCE === 0) yield;
  if (typeof value === 'string') return REJECTED_TEXT;
  if (Array.isArray(value)) {
    const items: JsonValue[] = [];
    for (const item of value) items.push(yield* hide(item, steps));
    return items;
  }
  if (!isJsonObject(value)) return value;
  const members: [string, JsonValue][] = [];
  for (const key of Object.keys(value)) {
    const member = value[key]!;
    const isStructure = typeof member === 'string' && STRUCTURE_MEMBERS.has(key);
    members.push([key, isStructure ? member : yield* hide(member, steps)]);
  }
  return Object.fromEntries(members);
}

const METADATA = '/metadata';

/** Whether a finding is about the metadata: its place is `/metadata`, or `/metadata/KEY`. */
function isOfMetadata({ place }: PluginFinding): boolean {
  return place === METADATA || place.startsWith(`${METADATA}/`);
}

/** The metadata, and the tags made of it, without the values that findings are about. Undefined where there are none. */
export function hideMetadata(
  metadata: JsonObject,
  findings: readonly PluginFinding[],
): { metadata: JsonObject; tags: string[] } | undefined {
  const found = findings.filter(isOfMetadata);
  if (found.length === 0) return undefined;
  const members = Object.keys(metadata).map((key): [string, JsonValue] => {
    const place = `${METADATA}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const about = found.find(
      (one) => [METADATA, place].includes(one.place) || one.place.startsWith(`${place}/`),
    );
    return [key, about === undefined ? metadata[key]! : `<${about.type}>`];
  });
  const hidden = Object.fromEntries(members) as JsonObject;
  return { metadata: hidden, tags: tagsOf(hidden) };
}
