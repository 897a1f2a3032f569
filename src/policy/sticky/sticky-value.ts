import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Sticky } from '../../core/settings.js';

/** What identifies a conversation, and the value by which its model is drawn. */
export interface StickyValue {
  /** The entry of the endpoint's `by`. */
  by: string;
  value: string;
}

/** What is known about a request. `conversationStart` is called only where no earlier entry of `by` was found. */
export interface StickyFacts {
  metadata: JsonObject;
  /** The headers by their names in lower case. */
  headers: Readonly<Record<string, string>>;
  conversationStart(): string | undefined;
}

/** Only this many UTF-16 units of a value that a client chose are used. */
const LONGEST_VALUE = 1_024;

/** The value for the first entry of `by` that the request has; undefined where it has none. */
export function stickyValue({ by }: Sticky, facts: StickyFacts): StickyValue | undefined {
  for (const entry of by) {
    const value = markedValue(entry, facts);
    if (value !== undefined && value !== '') return { by: entry, value: value.slice(0, LONGEST_VALUE) };
  }
  return undefined;
}

function markedValue(by: string, facts: StickyFacts): string | undefined {
  if (by === 'conversation') return facts.conversationStart();
  const dot = by.indexOf('.');
  const name = by.slice(dot + 1);
  if (by.startsWith('header.')) return facts.headers[name.toLowerCase()];
  return Object.hasOwn(facts.metadata, name) ? textOf(facts.metadata[name]) : undefined;
}

function textOf(value: JsonValue | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
