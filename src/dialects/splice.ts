import { itemSpans, memberSpans, skipSpace, valueEnd } from '../core/json-scan.js';

export type Path = readonly (string | number)[];

/** One value to put in place of another. `write` gets the old JSON text and gives the new one. */
export interface Edit {
  path: Path;
  write: (old: string) => string;
}

/** An edit that puts a string in place of what stands there. */
export function stringEdit(path: Path, value: string): Edit {
  return { path, write: () => JSON.stringify(value) };
}

interface EditNode {
  write?: (old: string) => string;
  children: Map<string | number, EditNode>;
}

interface Replacement {
  start: number;
  end: number;
  text: string;
}

/**
 * Replaces values deep inside JSON text; every other byte stays. A path that leads nowhere changes nothing.
 * Where a key on a path is repeated, its earlier values become null: parsers differ in which one they believe.
 */
export function spliceValues(text: string, edits: readonly Edit[]): string {
  if (edits.length === 0) return text;
  const replacements: Replacement[] = [];
  collect(text, skipSpace(text, 0), editTree(edits), replacements);
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end, text: replacement } of replacements) {
    pieces.push(text.slice(at, start), replacement);
    at = end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}

function editTree(edits: readonly Edit[]): EditNode {
  const root: EditNode = { children: new Map() };
  for (const edit of edits) {
    let node = root;
    for (const step of edit.path) {
      let child = node.children.get(step);
      if (child === undefined) {
        child = { children: new Map() };
        node.children.set(step, child);
      }
      node = child;
    }
    node.write = edit.write;
  }
  return root;
}

function collect(text: string, at: number, node: EditNode, into: Replacement[]): void {
  if (node.write !== undefined) {
    const end = valueEnd(text, at);
    into.push({ start: at, end, text: node.write(text.slice(at, end)) });
  } else if (text[at] === '{') {
    collectMembers(text, at, node, into);
  } else if (text[at] === '[') {
    let index = 0;
    for (const item of itemSpans(text, at)) {
      const child = node.children.get(index++);
      if (child !== undefined) collect(text, item.start, child, into);
    }
  }
}

function collectMembers(text: string, at: number, node: EditNode, into: Replacement[]): void {
  const spans = [...memberSpans(text, at)].filter((span) => node.children.has(span.key));
  const last = new Map(spans.map((span) => [span.key, span]));
  for (const span of spans) {
    if (last.get(span.key) === span) collect(text, span.valueStart, node.children.get(span.key)!, into);
    else into.push({ start: span.valueStart, end: span.end, text: 'null' });
  }
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
