import {
  type Alias,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type ParsedNode,
  Parser,
  visit,
  type YAMLMap,
  YAMLParseError,
  type YAMLSeq,
} from 'yaml';
import type { JsonObject, JsonValue } from '../core/json.js';
import { atOnce, inTurns, type Steps } from '../core/pacing/steps.js';
import { formatPath, type Mistake, type Path, type Problem } from './mistakes.js';
import { composeInSteps } from './yaml/compose-in-steps.js';

/** The value of a YAML file, with the position of everything in it. */
export interface YamlDocument {
  /** Undefined where the text has no readable value. */
  value: JsonValue | undefined;
  mistakes: Mistake[];
  /** Adds line and column to a problem: those of the nearest value that exists. */
  place(problem: Problem): Mistake;
}

/** The most values after aliases are resolved. A few lines of aliases can stand for more than memory can hold. */
const LARGEST_NODE_COUNT = 200_000;

/**
 * Reads YAML 1.2 restricted to the values of JSON. Other features are mistakes: tags, keys that are not text,
 * infinite numbers, recursive aliases, and repeated keys.
 */
export function readYaml(text: string, file: string): YamlDocument {
  return atOnce(readYamlInSteps(text, file));
}

export function* readYamlInSteps(text: string, file: string): Steps<YamlDocument> {
  const { document, lines } = parse(text);
  const mistakeAt = (offset: number, path: Path, message: string): Mistake => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1), path: formatPath(path), message };
  };
  const place = ({ path, message, atKey }: Problem) =>
    mistakeAt(offsetOf(document, path, atKey ?? false), path, message);

  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    const mistakes = faults.map((fault) => mistakeAt(fault.pos[0], [], `not valid YAML: ${fault.message}`));
    return { value: undefined, mistakes, place };
  }
  if (document.contents === null || isEmptyScalar(document.contents)) {
    return { value: undefined, mistakes: [mistakeAt(0, [], 'the file is empty')], place };
  }
  const reader = new Reader(document);
  const value = yield* reader.read(document.contents, []);
  const mistakes = reader.problems.map(({ offset, path, message }) => mistakeAt(offset, path, message));
  return { value, mistakes, place };
}

interface ParsedText {
  text: string;
  document: Document;
  lines: LineCounter;
}

/** How many tokens are parsed, and how many values read, in one step. */
const TOKENS_PER_STEP = 100;
const VALUES_PER_STEP = 100;
/** For how long a parsed text is kept after it was last needed. */
const KEPT_MS = 10_000;

let last: ParsedText | undefined;
let release: NodeJS.Timeout | undefined;

/**
 * Parses a text in turns, so that reading it is fast in the next seconds. A running engine calls this first: a thousand endpoints
 * take 150 ms to parse, and requests would wait all of it.
 */
export async function prepareYaml(text: string): Promise<void> {
  keep(known(text) ?? (await inTurns(parseInSteps(text))));
}

/**
 * Parses a text, or returns the last result for the same text. A file is read for its key files, its plugins, its values and its
 * warnings, one after the other.
 */
function parse(text: string): ParsedText {
  return keep(known(text) ?? atOnce(parseInSteps(text)));
}

function known(text: string): ParsedText | undefined {
  return last?.text === text ? last : undefined;
}

function keep(parsed: ParsedText): ParsedText {
  last = parsed;
  clearTimeout(release);
  release = setTimeout(() => {
    last = undefined;
  }, KEPT_MS).unref();
  return parsed;
}

/** Does the same as `parseDocument` of the package, which cannot be interrupted. */
function* parseInSteps(text: string): Steps<ParsedText> {
  const lines = new LineCounter();
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    count++;
    if (count % TOKENS_PER_STEP === 0) yield;
  }
  for (const token of parser.end()) tokens.push(token);
  yield;
  const [document, another] = yield* composeInSteps(tokens, text.length);
  if (document === undefined) throw new Error('a YAML text without a document');
  if (another !== undefined) {
    const [start, end] = another.range ?? [0, 0];
    document.errors.push(
      new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'the text has more than one document'),
    );
  }
  return { text, document, lines };
}

function isEmptyScalar(node: Node): boolean {
  return isScalar(node) && node.value === null;
}

function startOf(node: unknown): number {
  return (node as Partial<ParsedNode> | null)?.range?.[0] ?? 0;
}

/** The offset of the value at `path`, or of its key; if neither exists, that of the deepest value on the way to it. */
function offsetOf(document: Document, path: Path, atKey: boolean): number {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const [index, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => keyText(item.key) === String(step));
      if (pair === undefined) return offset;
      const wantsKey = (atKey && index === path.length - 1) || pair.value === null;
      offset = startOf(wantsKey ? pair.key : pair.value);
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (node === undefined) return offset;
      offset = startOf(node);
    } else {
      return offset;
    }
  }
  return offset;
}

function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}

/** Finds what each alias refers to, in one walk. Asking a single alias would walk the whole document. */
function targetsOf(document: Document): Map<unknown, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<unknown, Node>();
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) {
        anchors.set(node.anchor, node);
      }
    },
  });
  return targets;
}

class Reader {
  readonly problems: { offset: number; path: Path; message: string }[] = [];
  readonly #document: Document;
  readonly #open = new Set<unknown>();
  #targets: Map<unknown, Node> | undefined;
  #count = 0;

  constructor(document: Document) {
    this.#document = document;
  }

  *read(node: unknown, path: Path): Steps<JsonValue> {
    this.#count++;
    if (this.#count % VALUES_PER_STEP === 0) yield;
    if (this.#count > LARGEST_NODE_COUNT) {
      if (this.#count === LARGEST_NODE_COUNT + 1) {
        this.#report(
          node,
          [],
          `the file has more than ${LARGEST_NODE_COUNT} values, with those that aliases repeat`,
        );
      }
      return null;
    }
    if (isAlias(node)) return yield* this.#readAlias(node, path);
    if (isScalar(node)) return this.#readScalar(node, path);
    if (!isMap(node) && !isSeq(node)) return null;
    this.#open.add(node);
    const value = yield* isMap(node) ? this.#readMap(node, path) : this.#readList(node, path);
    this.#open.delete(node);
    return value;
  }

  *#readAlias(alias: Alias, path: Path): Steps<JsonValue> {
    this.#targets ??= targetsOf(this.#document);
    const target = this.#targets.get(alias);
    if (target === undefined) {
      this.#report(alias, path, `no anchor "${alias.source}" before this alias`);
    } else if (this.#open.has(target)) {
      this.#report(alias, path, `the alias "${alias.source}" contains itself`);
    } else {
      return yield* this.read(target, path);
    }
    return null;
  }

  #readScalar(node: { value: unknown }, path: Path): JsonValue {
    const { value } = node;
    if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    this.#report(node, path, 'expected text, a finite number, true, false or null');
    return null;
  }

  *#readList(list: YAMLSeq, path: Path): Steps<JsonValue[]> {
    const items: JsonValue[] = [];
    for (const [index, item] of list.items.entries()) items.push(yield* this.read(item, [...path, index]));
    return items;
  }

  *#readMap(map: YAMLMap, path: Path): Steps<JsonObject> {
    const entries = new Map<string, JsonValue>();
    for (const { key, value } of map.items) {
      if (!isScalar(key) || typeof key.value === 'object') {
        this.#report(key ?? map, path, 'expected text as a key');
        continue;
      }
      const name = String(key.value);
      if (entries.has(name)) this.#report(key, [...path, name], 'this key is defined twice');
      entries.set(name, yield* this.read(value, [...path, name]));
    }
    // Unlike an assignment, this keeps a key such as `__proto__`.
    return Object.fromEntries(entries);
  }

  #report(node: unknown, path: Path, message: string): void {
    this.problems.push({ offset: startOf(node), path, message });
  }
}
