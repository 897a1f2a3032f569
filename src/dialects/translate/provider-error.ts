import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { ProviderError } from '../dialect.js';

/*
 * Reads errors of providers in any form. Servers that speak one API often send errors of another one, or of the web
 * framework that they use.
 */

/** The members that may contain the text of an error, and the members that may contain objects with those. */
const WORDS = ['message', 'detail', 'msg', 'error_message', 'errorMessage', 'description', 'title', 'reason'];
const HOLDERS = ['error', 'errors', 'message', 'detail', 'details', 'fault'];
/** How many levels deep the text is searched for. */
const MOST_LEVELS = 4;
/** How many entries of a list of errors are shown. */
const MOST_ENTRIES = 5;
/** The greatest length of a text that is not JSON, in UTF-16 units. */
const MOST_TEXT = 500;

/** The error in a value of any form; undefined where nothing in it looks like an error. */
export function readAnyError(value: JsonValue | undefined): ProviderError | undefined {
  const holder = holderOf(value);
  const message = wordsOf(value, 0);
  if (message === undefined) return undefined;
  const read: ProviderError = { message };
  const type = holder?.type ?? holder?.status;
  if (typeof type === 'string' && type !== 'error') read.type = type;
  const code = holder?.code;
  if (typeof code === 'string' || code === null) read.code = code;
  else if (typeof code === 'number') read.code = String(code);
  return read;
}

/** The text of an error that is not JSON: the visible text of a page, shortened. */
export function readErrorText(text: string): ProviderError | undefined {
  const isPage = /^\s*<(!doctype|html|\?xml|head|body)/i.test(text);
  const shown = isPage ? pageText(text) : text;
  const words = shown.replace(/\s+/g, ' ').trim();
  if (words === '') return undefined;
  return { message: words.length <= MOST_TEXT ? words : `${words.slice(0, MOST_TEXT)}…` };
}

/** Longer pages are cut to this length before they are searched. */
const MOST_PAGE = 20_000;

function pageText(page: string): string {
  return page
    .slice(0, MOST_PAGE)
    .replace(/<(script|style)\b[^>]{0,500}>[\s\S]*?(<\/\1>|$)/gi, ' ')
    .replace(/<[^<>]{0,1000}>/g, ' ')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&');
}

/** The object that has the error's type and code next to its text. */
function holderOf(value: JsonValue | undefined): JsonObject | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(first)) return undefined;
  return isJsonObject(first.error) ? first.error : first;
}

function wordsOf(value: JsonValue | undefined, level: number): string | undefined {
  if (value === undefined || value === null || level > MOST_LEVELS) return undefined;
  if (typeof value === 'string') return level > 0 && value.trim() !== '' ? value : undefined;
  if (Array.isArray(value)) {
    const texts = value.slice(0, MOST_ENTRIES).flatMap((entry) => wordsOf(entry, level + 1) ?? []);
    return texts.length === 0 ? undefined : texts.join('; ');
  }
  if (!isJsonObject(value)) return undefined;
  const own = WORDS.map((name) => value[name]).find((text) => typeof text === 'string' && text.trim() !== '');
  if (typeof own === 'string') return placeOf(value) + own;
  for (const name of HOLDERS) {
    const inside = wordsOf(value[name], level + 1);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** The place of a mistake in the form of web frameworks: `["body", "x"]`. */
function placeOf({ loc }: JsonObject): string {
  if (!Array.isArray(loc) || loc.length === 0) return '';
  return `${loc.filter((step) => typeof step === 'string' || typeof step === 'number').join('.')}: `;
}
