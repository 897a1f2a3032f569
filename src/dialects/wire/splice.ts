import type { JsonObject, JsonValue } from '../../core/json.js';
import { itemSpans, readKey, skipSpace, stringEnd, valueEnd } from '../../core/json-scan.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';

export type Path = readonly (string | number)[];

/** A path that may continue another one, so that many deep places share their common part. */
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

/** Finds the container of a place in a value. The shared part of linked paths is walked once. */
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

/** Replaces one value. `write` gets the old JSON text and returns the new one. */
export interface Edit {
  path: DeepPath;
  write: (old: string) => string;
  /** Replaces the name of the member and not its value. */
  key?: true;
}

/** An edit that replaces a value with a string. */
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

/** Replacements inside one value are in a list of their own. */
type Found = Replacement | Found[];

/**
 * Replaces values deep inside JSON text; every other byte stays. A path that does not exist changes nothing. Where a
 * key on a path is repeated, its earlier values become null, because parsers differ in which one they use.
 */
export function spliceValues(text: string, edits: readonly Edit[]): string {
  return atOnce(spliceInSteps(text, edits));
}

/** Does the same in steps of a few hundred edits. */
export function* spliceInSteps(text: string, edits: readonly Edit[]): Steps<string> {
  if (edits.length === 0) return text;
  const root: EditNode = { children: new Map() };
  const known = new Map<LinkedPath, EditNode>();
  for (const [index, { path, write, key }] of edits.entries()) {
    if (endsStep(index)) yield;
    nodeAt(root, path, known)[key ? 'writeKey' : 'write'] = write;
  }
  const search = new Search(text, root);
  for (let count = 0; !search.step(); count++) if (endsStep(count)) yield;
  let spliced = '';
  let pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of each(search.found)) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
    if (pieces.length < 2 * AT_ONCE) continue;
    spliced += pieces.join('');
    pieces = [];
    yield;
  }
  return spliced + pieces.join('') + text.slice(at);
}

const AT_ONCE = 250;

function endsStep(index: number): boolean {
  return index % AT_ONCE === AT_ONCE - 1;
}

function* each(found: readonly Found[]): Generator<Replacement, void> {
  for (const one of found) {
    if (Array.isArray(one)) yield* each(one);
    else yield one;
  }
}

/** The node of a path. The shared part of linked paths is walked once: `known` has the nodes of their links. */
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

/** An object or an array on the way to an edit. */
interface Level {
  close: '}' | ']';
  node: EditNode;
  into: Found[];
  /** The index of the next item. */
  index: number;
  /** Members that were already read, by key. */
  before: Map<string, { start: number; end: number; place: number }>;
  /** The member whose value is being read. */
  open?: { key: string; start: number; inside: Found[] };
}

/** Finds the places of edits in the order of the text. Walks it once, however deep it is, one entry per step. */
class Search {
  readonly found: Found[] = [];
  readonly #text: string;
  readonly #levels: Level[] = [];
  #at = 0;

  constructor(text: string, root: EditNode) {
    this.#text = text;
    this.#enter(skipSpace(text, 0), root, this.found);
  }

  /** Handles one entry. Returns true at the end of the text. */
  step(): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined) return true;
    if (this.#text[this.#at] === level.close) {
      this.#levels.pop();
      this.#leave(this.#at + 1);
    } else if (level.close === '}') {
      this.#readMember(level);
    } else {
      const child = level.node.children.get(level.index++);
      if (child === undefined) this.#leave(valueEnd(this.#text, this.#at));
      else this.#enter(this.#at, child, level.into);
    }
    return false;
  }

  #readMember(level: Level): void {
    const { key, valueStart } = readKey(this.#text, this.#at);
    const child = level.node.children.get(key);
    if (child === undefined) {
      this.#leave(valueEnd(this.#text, valueStart));
      return;
    }
    const earlier = level.before.get(key);
    if (earlier !== undefined)
      level.into[earlier.place] = { start: earlier.start, end: earlier.end, text: 'null' };
    const inside: Found[] = [];
    if (child.writeKey !== undefined) inside.push(newKey(this.#text, this.#at, child.writeKey));
    level.open = { key, start: valueStart, inside };
    this.#enter(valueStart, child, inside);
  }

  /** At the beginning of a value. */
  #enter(at: number, node: EditNode, into: Found[]): void {
    const first = this.#text[at];
    if (node.write !== undefined) {
      const end = valueEnd(this.#text, at);
      into.push({ start: at, end, text: node.write(this.#text.slice(at, end)) });
      this.#leave(end);
    } else if (first === '{' || first === '[') {
      this.#levels.push({ close: first === '{' ? '}' : ']', node, into, index: 0, before: new Map() });
      this.#at = skipSpace(this.#text, at + 1);
    } else {
      this.#leave(valueEnd(this.#text, at));
    }
  }

  /** After a value: goes to the next entry. */
  #leave(end: number): void {
    const level = this.#levels.at(-1);
    if (level?.open !== undefined) {
      const { key, start, inside } = level.open;
      level.before.set(key, { start, end, place: level.into.push(inside) - 1 });
      level.open = undefined;
    }
    this.#at = skipSpace(this.#text, end);
    if (this.#text[this.#at] === ',') this.#at = skipSpace(this.#text, this.#at + 1);
  }
}

function newKey(text: string, start: number, write: (old: string) => string): Replacement {
  const end = stringEnd(text, start);
  return { start, end, text: write(text.slice(start, end)) };
}

/** The JSON text of an array with items added at both ends. */
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
