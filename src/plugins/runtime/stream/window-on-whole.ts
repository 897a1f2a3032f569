import type { Choice } from '../../../core/answer.js';
import { append } from '../../../core/lists/append.js';
import { replaceInPieces, textOf } from '../../../core/texts/text-pieces.js';
import { PluginFault, reasonOf } from '../../contract/fault.js';
import type { PluginFinding } from '../../contract/plugin.js';
import { choiceTexts, mapChoiceTexts } from '../../helpers/texts.js';
import type { Caller, TimedCall } from '../call/caller.js';
import type { HostContext, PreparedPlugin } from '../prepare/prepared-plugin.js';
import { GatheredNotes } from '../run/gathered-notes.js';
import { type Notes, readNotes, readObject } from '../run/read-result.js';
import { readWindow } from './read-window.js';

/** Runs a plugin that has only `responseWindow` on a complete answer: each text is one final window. */
export async function callOnWholeTexts(
  prepared: PreparedPlugin,
  context: HostContext,
  choices: readonly Choice[],
  caller: Caller,
): Promise<TimedCall> {
  const changed = new Map<string, string>();
  const gathered = new GatheredNotes();
  const restores: [string, string][] = [];
  let durationMs = 0;
  for (const { place, text } of choiceTexts(choices)) {
    const content = { kind: kindAt(choices, place), text, released: 0, settled: text.length, final: true };
    const timed = await caller.call(prepared, 'responseWindow', context, content);
    durationMs += timed.durationMs;
    if (timed.called.end !== 'returned') return { ...timed, durationMs };
    const read = readOne(timed.called.value, text);
    if ('fault' in read) return { called: { end: 'error', reason: read.fault }, durationMs };
    const placed = (finding: PluginFinding) => Object.assign({}, finding, { place });
    if ('rejection' in read) {
      const { rejection } = read;
      return { called: { end: 'returned', value: withNotes(rejection, gathered, placed) }, durationMs };
    }
    gathered.add(read.notes, placed);
    append(restores, read.restores);
    changed.set(place, read.text);
  }
  const content = mapChoiceTexts(choices, (text, place) => changed.get(place) ?? text);
  const value = { action: 'modify', content, ...gathered.notes, restores: Object.fromEntries(restores) };
  return { called: { end: 'returned', value }, durationMs };
}

type ReadOne =
  | { text: string; notes: Notes; restores: [string, string][] }
  | { rejection: Record<string, unknown> }
  | { fault: string };

function readOne(value: unknown, text: string): ReadOne {
  try {
    const result = readObject(value);
    if (result.action === 'reject') return { rejection: result };
    const { spans, notes, restores } = readWindow(result, text.length);
    const pieces = replaceInPieces([{ source: text.length, text, changed: false }], spans);
    return { text: textOf(pieces), notes, restores };
  } catch (thrown) {
    return { fault: reasonOf(thrown) };
  }
}

/** A rejection with the notes of earlier calls. Where these are invalid, the run says so. */
function withNotes(
  rejection: Record<string, unknown>,
  gathered: GatheredNotes,
  placed: (finding: PluginFinding) => PluginFinding,
): Record<string, unknown> {
  try {
    gathered.add(readNotes(rejection), placed);
    return { ...rejection, ...gathered.notes };
  } catch {
    return rejection;
  }
}

function kindAt(choices: readonly Choice[], place: string): string {
  const [, choice, , index] = place.split('/');
  const part = choices[Number(choice)]?.parts[Number(index)];
  if (part === undefined) throw new PluginFault(`there is no part at '${place}'`);
  return part.type === 'tool-call' ? 'tool-arguments' : part.type;
}
