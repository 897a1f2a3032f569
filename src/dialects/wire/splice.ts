import type { JsonObject, JsonValue } from '../../core/json.js';
import { itemSpans, readKey, skipSpace, stringEnd, valueEnd } from '../../core/json-scan.js';
import { atOnce } from '../../core/load/pace.js';

export type Path = readonly (string | number)[];

/** A path that may begin with another one, so that many places deep inside a value share what leads there. */
export type DeepPath = Path | LinkedPath;

interface LinkedPath {
  within: DeepPath;
  step: string | number;
}

export function stepsOf(path: DeepPath): Path {
  const last: (string | number)[] = [];
  let at = path;
  for (; isLinked(at); at = at.within) last.push(at.step);
  return [...at, ...last.reverse()];
}

function isLinked(path: DeepPath): path is LinkedPath {
  return 'within' in path;
}

export function lastStep(path: DeepPath): string | number | undefined {
  return isLinked(path) ? path.step : path.at(-1);
}

/** Finds what holds a place in a value that stands at a path. What linked paths share is walked once. */
export class ValueFinder {
  readonly #known = new Map<LinkedPath, unknown>();

  constructor(
    private readonly value: JsonValue,
    private readonly at: Path,
  ) {}

  holderOf(place: DeepPath): unknown {
    return this.#valueAt(isLinked(place) ? place.within : place.slice(0, -1));
  }

  #valueAt(path: DeepPath): unknown {
    if (!isLinked(path)) return path.slice(this.at.length).reduce<unknown>(memberOf, this.value);
    if (!this.#known.has(path)) this.#known.set(path, memberOf(this.#valueAt(path.within), path.step));
    return this.#known.get(path);
  }
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null ? (value as JsonObject)[step] : undefined;
}

/** One value to put in place of another. `write` gets the old JSON text and gives the new one. */
export interface Edit {
  path: DeepPath;
  write: (old: string) => string;
  /** It is for the name of the member there, not for its value. */
  key?: true;
}

/** An edit that puts a string in place of what stands there. */
export function stringEdit(path: DeepPath, value: string): Edit {
  return { path, write: () => JSON.stringify(value) };
}

interface EditNode {
  write?: (old: string) => string;
  writeKey?: (old: string) => string;
  children: Map<string | number, EditNode>;
}

interface Replacement {
  start: number;
  end: number;
  text: string;
}

/** Replacements inside of one value stand in a list of their own. */
type Found = Replacement | Found[];

/**
 * Replaces values deep inside JSON text; every other byte stays. A path that leads nowhere changes nothing.
 * Where a key on a path is repeated, its earlier values become null: parsers differ in which one they believe.
 */
export function spliceValues(text: string, edits: readonly Edit[]): string {
  return atOnce(spliceInSteps(text, edits));
}

/** The same in steps of some hundred edits. */
export function* spliceInSteps(text: string, edits: readonly Edit[]): Generator<void, string> {
  if (edits.length === 0) return text;
  const found: Found[] = [];
  yield* collect(text, skipSpace(text, 0), yield* editTree(edits), found);
  const replacements: Replacement[] = [];
  yield* flatten(found, replacements);
  const pieces: string[] = [];
  let at = 0;
  for (const [index, { start, end, text: replacement }] of replacements.entries()) {
    if (endsStep(index, EDITS_AT_ONCE)) yield;
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

const EDITS_AT_ONCE = 500;
/** Fewer, since lists hold lists. */
const ENTRIES_AT_ONCE = 32;

function endsStep(index: number, size: number): boolean {
  return index % size === size - 1;
}

function* flatten(found: readonly Found[], into: Replacement[]): Generator<void, void> {
  for (const [index, one] of found.entries()) {
    if (endsStep(index, ENTRIES_AT_ONCE)) yield;
    if (Array.isArray(one)) yield* flatten(one, into);
    else into.push(one);
  }
}

function* editTree(edits: readonly Edit[]): Generator<void, EditNode> {
  const root: EditNode = { children: new Map() };
  const known = new Map<LinkedPath, EditNode>();
  for (const [index, { path, write, key }] of edits.entries()) {
    if (endsStep(index, EDITS_AT_ONCE)) yield;
    nodeAt(root, path, known)[key ? 'writeKey' : 'write'] = write;
  }
  return root;
}

/** What linked paths share is walked once: `known` has the nodes of their links. */
function nodeAt(root: EditNode, path: DeepPath, known: Map<LinkedPath, EditNode>): EditNode {
  const links: LinkedPath[] = [];
  let at = path;
  for (; isLinked(at) && !known.has(at); at = at.within) links.push(at);
  let node = isLinked(at) ? known.get(at)! : at.reduce(childOf, root);
  for (const link of links.reverse()) {
    node = childOf(node, link.step);
    known.set(link, node);
  }
  return node;
}

function childOf(node: EditNode, step: string | number): EditNode {
  let child = node.children.get(step);
  if (child === undefined) {
    child = { children: new Map() };
    node.children.set(step, child);
  }
  return child;
}

/** In the order of the text. Goes over it once, however deep it is; gives the offset behind the value. */
function* collect(text: string, at: number, node: EditNode, into: Found[]): Generator<void, number> {
  if (node.write !== undefined) {
    const end = valueEnd(text, at);
    into.push({ start: at, end, text: node.write(text.slice(at, end)) });
    return end;
  }
  if (text[at] === '{') return yield* collectMembers(text, at, node, into);
  return text[at] === '[' ? yield* collectItems(text, at, node, into) : valueEnd(text, at);
}

function* collectItems(text: string, at: number, node: EditNode, into: Found[]): Generator<void, number> {
  let i = skipSpace(text, at + 1);
  for (let index = 0; text[i] !== ']'; index++) {
    const child = node.children.get(index);
    i = skipSpace(text, child === undefined ? valueEnd(text, i) : yield* collect(text, i, child, into));
    if (endsStep(index, ENTRIES_AT_ONCE)) yield;
    if (text[i] === ',') i = skipSpace(text, i + 1);
  }
  return i + 1;
}

function* collectMembers(text: string, at: number, node: EditNode, into: Found[]): Generator<void, number> {
  const before = new Map<string, { start: number; end: number; place: number }>();
  let i = skipSpace(text, at + 1);
  for (let index = 0; text[i] !== '}'; index++) {
    if (endsStep(index, ENTRIES_AT_ONCE)) yield;
    const { key, valueStart } = readKey(text, i);
    const child = node.children.get(key);
    if (child === undefined) {
      i = valueEnd(text, valueStart);
    } else {
      const earlier = before.get(key);
      if (earlier !== undefined)
        into[earlier.place] = { start: earlier.start, end: earlier.end, text: 'null' };
      const inside: Found[] = [];
      if (child.writeKey !== undefined) inside.push(newKey(text, i, child.writeKey));
      i = yield* collect(text, valueStart, child, inside);
      before.set(key, { start: valueStart, end: i, place: into.push(inside) - 1 });
    }
    i = skipSpace(text, i);
    if (text[i] === ',') i = skipSpace(text, i + 1);
  }
  return i + 1;
}

function newKey(text: string, start: number, write: (old: string) => string): Replacement {
  const end = stringEnd(text, start);
  return { start, end, text: write(text.slice(start, end)) };
}

/** The JSON text with items added at the two ends of the array that it holds. */
export function extendArray(array: string, before: readonly string[], after: readonly string[]): string {
  const start = array.indexOf('[') + 1;
  const end = array.lastIndexOf(']');
  const inside = array.slice(start, end);
  const own = inside.trim() === '' ? [] : [inside];
  return `[${[...before, ...own, ...after].join(',')}]`;
}

/** The JSON text of an array without the items at these positions. */
export function removeItems(array: string, positions: ReadonlySet<number>): string {
  const kept = [...itemSpans(array, array.indexOf('['))].filter((_span, index) => !positions.has(index));
  return `[${kept.map(({ start, end }) => array.slice(start, end)).join(',')}]`;
}

/** The JSON text of a string with more text at its end. */
export function extendString(string: string, more: string): string {
  return string.slice(0, -1) + JSON.stringify(more).slice(1);
}
