import type { JsonValue } from '../../core/json.js';
import type { PluginFinding } from '../../core/log-record.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { isEmptyObject } from '../../core/pacing/member-names.js';
import type { Steps } from '../../core/pacing/steps.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { Result, WindowInput, WindowResult } from '../contract/plugin.js';
import { joinOverlaps } from '../helpers/mask-spans.js';
import { isInFile, type PlacedText } from '../helpers/texts.js';
import { maskedTexts } from '../helpers/texts-in-steps.js';
import { type KnownStandIns, StandIns } from '../stand-ins/stand-ins.js';
import type { PlacedFound } from './found.js';
import { type HideOptions, hideInSteps, hideInWindow } from './hide-findings.js';
import type { PreparedGuard } from './prepared-guard.js';
import { runStart } from './run-start.js';

/*
 * What a guard does with what was found: it lets the text pass, rejects it, or replaces the findings. Most texts have
 * no findings, and are decided without steps.
 */

const FINDINGS_AT_ONCE = 500;
/** The most findings that are explained: as many as a log keeps. */
const MOST_EXPLAINED = 1_000;

/** The code and the message of a rejection. */
export interface Refusal {
  code: string;
  /** The client's message, made from the one in the configuration. */
  say(message: string): string;
}

/** Decides on the texts of a request or of a whole answer. */
export function decide<Content>(
  guard: PreparedGuard,
  found: readonly PlacedFound[],
  ...how: Deciding<Content>
): MaybePromise<Result<Content>> {
  return found.length === 0 ? passed(nothingFound(guard)) : runSteps(decideOnFound(guard, found, ...how));
}

type Deciding<Content> = [
  refusal: Refusal,
  texts: readonly PlacedText[],
  replace: (changed: ReadonlyMap<string, string>) => Steps<Content>,
  hiding: HideOptions,
];

function* decideOnFound<Content>(
  guard: PreparedGuard,
  found: readonly PlacedFound[],
  ...[refusal, texts, replace, hiding]: Deciding<Content>
): Steps<Result<Content>> {
  const { mask, reject_on_detection: rejects } = guard.settings;
  const said = yield* notes(guard, found);
  if (rejects) return { action: 'reject', ...rejection(guard, found[0]!, refusal), ...said };
  if (!mask) return passed(said);
  const inFile = found.find(isInFile);
  if (inFile !== undefined) return { action: 'reject', ...rejection(guard, inFile, refusal), ...said };
  if (mask === true) {
    const masked = yield* maskedTexts(texts, said.findings);
    return { action: 'modify', content: yield* replace(masked), ...said };
  }
  const { texts: changed, restores } = yield* hideInSteps(texts, found, hiding);
  return { action: 'modify', content: yield* replace(changed), restores, ...said };
}

function passed(said: Notes): Result<never> & { action: 'pass' } {
  return { action: 'pass', findings: said.findings, debug: said.debug };
}

/**
 * In the log, values that the model itself wrote become placeholders. These have a series of their own, so that a
 * model that guesses the next number of the conversation's placeholders gets no value for it.
 */
export function inAnswer(known: KnownStandIns = new StandIns()): HideOptions {
  return { style: 'reversible', known, series: 'A' };
}

/** Decides on a window of a stream. */
export function decideOnWindow(
  input: WindowInput<PreparedGuard>,
  found: readonly PlacedFound[],
  refusal: Refusal,
): MaybePromise<WindowResult> {
  return found.length === 0 ? passWindow(input) : runSteps(decideOnFoundInWindow(input, found, refusal));
}

/**
 * A finding that starts after the settled text is not decided yet: it is shown again
 * with more text, and may then turn out to be something else.
 */
function* decideOnFoundInWindow(
  input: WindowInput<PreparedGuard>,
  found: readonly PlacedFound[],
  refusal: Refusal,
): Steps<WindowResult> {
  const { config: guard, text, released, settled, final } = input;
  const { settings } = guard;
  const keepFrom = keepFromOf(guard, text, settled, final);
  const certain = found.filter((finding) => finding.start < keepFrom && finding.end > released);
  const said = yield* notes(guard, certain);
  if (settings.reject_on_detection && certain.length > 0)
    return { action: 'reject', ...rejection(guard, certain[0]!, refusal), ...said };
  if (!settings.mask) return { action: 'pass', keepFrom, ...said };
  if (settings.mask !== true) {
    const { restores, spans } = hideInWindow(input, found, keepFrom, inAnswer(input.standIns));
    return { action: 'replace', spans, keepFrom, restores, ...said };
  }
  const spans = (yield* joinOverlaps(found)).map(({ start, end, type }) => ({
    start,
    end,
    replacement: `<${type}>`,
  }));
  return { action: 'replace', spans, keepFrom, ...said };
}

function passWindow({ config: guard, text, settled, final }: WindowInput<PreparedGuard>): WindowResult {
  return { action: 'pass', keepFrom: keepFromOf(guard, text, settled, final), ...nothingFound(guard) };
}

function keepFromOf(guard: PreparedGuard, text: string, settled: number, final: boolean): number {
  return final ? settled : runStart(text, edgeOf(guard, text, settled), guard.engine.longestRun);
}

function edgeOf(guard: PreparedGuard, text: string, settled: number): number {
  return guard.keepFrom?.(text, settled) ?? settled;
}

function rejection(
  { settings, messageFor }: PreparedGuard,
  found: PlacedFound,
  { code, say }: Refusal,
): { message: string; code: string; status: number } {
  return { message: messageFor?.(found) ?? say(settings.rejection_message), code, status: 400 };
}

/** What a guard tells of its findings. */
export interface Notes {
  findings: PluginFinding[];
  debug?: JsonValue;
}

export function* notes(guard: PreparedGuard, found: readonly PlacedFound[]): Steps<Notes> {
  const findings: PluginFinding[] = [];
  for (const { type, place, start, end, score } of found) {
    findings.push({ type, place, start, end, score });
    if (findings.length % FINDINGS_AT_ONCE === 0) yield;
  }
  return withDebug(guard, findings, found);
}

/** The notes of a guard that found nothing. */
export function nothingFound(guard: PreparedGuard): Notes {
  return withDebug(guard, [], []);
}

function withDebug(guard: PreparedGuard, findings: PluginFinding[], found: readonly PlacedFound[]): Notes {
  const debug = guard.debug(found.length > MOST_EXPLAINED ? found.slice(0, MOST_EXPLAINED) : found);
  return isEmptyObject(debug) ? { findings } : { findings, debug };
}
