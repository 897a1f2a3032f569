import type { Choice } from '../../core/answer.js';
import { append } from '../../core/append.js';
import { choiceTexts, mapChoiceTexts } from '../helpers/texts.js';
import type { HostContext, PreparedPlugin } from '../host/prepared-plugin.js';
import type { PluginFinding } from '../plugin.js';
import type { Caller, TimedCall } from '../run/caller.js';
import { PluginFault, reasonOf } from '../run/fault.js';
import { readObject } from '../run/read-result.js';
import { replaceInPieces, textOf } from './pieces.js';
import { readWindow } from './read-window.js';

/** Runs a plugin that only knows windows on an answer that is there whole: each text is one last window. */
export async function callOnWholeTexts(
  prepared: PreparedPlugin,
  context: HostContext,
  choices: readonly Choice[],
  caller: Caller,
): Promise<TimedCall> {
  const changed = new Map<string, string>();
  const findings: PluginFinding[] = [];
  const restores: [string, string][] = [];
  let durationMs = 0;
  for (const { place, text } of choiceTexts(choices)) {
    const content = { kind: kindAt(choices, place), text, released: 0, settled: text.length, final: true };
    const timed = await caller.call(prepared, 'responseWindow', context, content);
    durationMs += timed.durationMs;
    if (timed.called.end !== 'returned') return { ...timed, durationMs };
    const read = readOne(timed.called.value, place, text);
    if ('ended' in read) return { called: read.ended, durationMs };
    append(findings, read.findings);
    append(restores, read.restores);
    changed.set(place, read.text);
  }
  const content = mapChoiceTexts(choices, (text, place) => changed.get(place) ?? text);
  const value = { action: 'modify', content, findings, restores: Object.fromEntries(restores) };
  return { called: { end: 'returned', value }, durationMs };
}

function readOne(
  value: unknown,
  place: string,
  text: string,
):
  | { text: string; findings: PluginFinding[]; restores: [string, string][] }
  | { ended: TimedCall['called'] } {
  try {
    const result = readObject(value);
    if (result.action === 'reject')
      return { ended: { end: 'returned', value: placedRejection(result, place) } };
    const { spans, notes, restores } = readWindow(result, text.length);
    const pieces = replaceInPieces([{ source: text.length, text, changed: false }], spans);
    const findings = notes.findings.map((finding) => ({ ...finding, place }));
    return { text: textOf(pieces), findings, restores };
  } catch (thrown) {
    return { ended: { end: 'error', reason: reasonOf(thrown) } };
  }
}

function placedRejection(result: Record<string, unknown>, place: string): Record<string, unknown> {
  if (!Array.isArray(result.findings)) return result;
  return {
    ...result,
    findings: result.findings.map((finding: unknown) => ({ ...readObject(finding), place })),
  };
}

function kindAt(choices: readonly Choice[], place: string): string {
  const [, choice, , index] = place.split('/');
  const part = choices[Number(choice)]?.parts[Number(index)];
  if (part === undefined) throw new PluginFault(`there is no part at '${place}'`);
  return part.type === 'tool-call' ? 'tool-arguments' : part.type;
}
