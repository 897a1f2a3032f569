import { isJsonObject } from '../../../core/json.js';
import { atOnce } from '../../../core/pacing/steps.js';
import type { Replacement } from '../../../core/texts/text-pieces.js';
import { PluginFault } from '../../contract/fault.js';
import { isOffset, type Notes, readNotes, readRestores } from '../run/read-result.js';

export interface WindowReading {
  notes: Notes;
  /** Spans in order and without overlap. */
  spans: Replacement[];
  keepFrom?: number;
  restores: [standIn: string, value: string][];
}

/** Reads what `responseWindow` returned for a text of this length, except a rejection. Findings may have no place. */
export function readWindow(result: Record<string, unknown>, length: number): WindowReading {
  const notes = readNotes(result);
  const { keepFrom } = result;
  if (keepFrom !== undefined && !isOffset(keepFrom))
    throw new PluginFault("gave a 'keepFrom' that is not an offset");
  if (result.action === 'pass') return { notes, spans: [], keepFrom, restores: [] };
  if (result.action !== 'replace') throw new PluginFault("returned no 'action' of pass, replace and reject");
  if (!Array.isArray(result.spans)) throw new PluginFault("gave 'spans' that are not a list");
  let at = 0;
  const spans = result.spans.map((span: unknown) => {
    if (!isSpan(span)) throw new PluginFault('gave a span without start, end and replacement');
    const { start, end, replacement } = span;
    if (start < at || end <= start || end > length)
      throw new PluginFault('gave spans out of order or out of the text');
    at = end;
    return { start, end, replacement };
  });
  return { notes, spans, keepFrom, restores: atOnce(readRestores(result.restores)) };
}

function isSpan(value: unknown): value is Replacement {
  return (
    isJsonObject(value) &&
    isOffset(value.start) &&
    isOffset(value.end) &&
    typeof value.replacement === 'string'
  );
}

export interface Settled {
  /** The offset up to which text may be sent. */
  cut: number;
  spans: Replacement[];
  /** Whether the text after the cut belongs to a span that was already replaced. */
  insideSpan: boolean;
}

/**
 * Decides which spans are replaced now, and how much text may be sent. Offsets start at the first pending unit; spans
 * can start before it. A span that extends beyond the limit holds back the text from its start on, up to
 * `longestHold`; a longer one is replaced as far as it has arrived.
 */
export function settleSpans(window: {
  spans: readonly Replacement[];
  limit: number;
  longestHold: number;
  insideSpan: boolean;
}): Settled {
  const { limit } = window;
  const spans: Replacement[] = [];
  for (const span of window.spans) {
    if (span.end <= 0) continue;
    if (span.start >= limit) break;
    const start = Math.max(0, span.start);
    const goesOn = span.start < 0 && window.insideSpan;
    const replacement = goesOn ? '' : span.replacement;
    if (span.end <= limit) {
      spans.push({ start, end: span.end, replacement });
      continue;
    }
    if (!goesOn && limit - start <= window.longestHold) return { cut: start, spans, insideSpan: false };
    spans.push({ start, end: limit, replacement });
    return { cut: limit, spans, insideSpan: true };
  }
  return { cut: limit, spans, insideSpan: false };
}
