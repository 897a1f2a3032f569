import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.js';
import type { PluginFinding } from '../../../core/log-record.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { PluginFault } from '../../contract/fault.js';

/*
 * Reads what a plugin returned. It is foreign code, so its shape is not trusted, and only members of the contract are
 * copied: a finding then cannot carry the found text into a log.
 */

/** What a run keeps besides its outcome. */
export interface Notes {
  findings: PluginFinding[];
  debug?: JsonValue;
  annotations?: JsonObject;
}

export interface Rejection {
  message: string;
  code?: string;
  status?: number;
}

const MOST_NOTE_CHARACTERS = 65_536;
const LONGEST_MESSAGE = 4_000;
const CODE = /^[A-Za-z0-9_.-]{1,64}$/;

export function readObject(value: unknown): Record<string, unknown> {
  if (!isJsonObject(value)) throw new PluginFault('returned no result object');
  return value;
}

/** In steps, because there can be tens of thousands of findings. */
export function* readNotesInSteps(result: Record<string, unknown>): Steps<Notes> {
  const listed = listOfFindings(result);
  const findings: PluginFinding[] = [];
  for (const finding of listed) {
    findings.push(readFinding(finding));
    if (findings.length % FINDINGS_AT_ONCE === 0) yield;
  }
  return withOtherNotes(findings, result);
}

/** Reads the notes without steps, where there are few findings. */
export function readNotes(result: Record<string, unknown>): Notes {
  return withOtherNotes(listOfFindings(result).map(readFinding), result);
}

/** Whether the notes can be read at once, as most can. Throws as `readNotes` does. */
export function hasFewFindings(result: Record<string, unknown>): boolean {
  return listOfFindings(result).length <= FINDINGS_AT_ONCE;
}

function withOtherNotes(findings: PluginFinding[], result: Record<string, unknown>): Notes {
  const notes: Notes = { findings };
  if (result.debug !== undefined) notes.debug = readJson(result.debug, 'debug');
  if (result.annotations !== undefined) {
    const annotations = readJson(result.annotations, 'annotations');
    if (!isJsonObject(annotations)) throw new PluginFault("gave 'annotations' that are not an object");
    notes.annotations = annotations;
  }
  return notes;
}

const LONGEST_STAND_IN = 200;

/** Stand-ins that are read in one step. */
const RESTORES_AT_ONCE = 500;

/** The stand-ins of a plugin's result; empty where it returned none. In steps, because there can be thousands. */
export function* readRestores(value: unknown): Steps<[standIn: string, value: string][]> {
  if (value === undefined) return [];
  if (!isJsonObject(value)) throw new PluginFault("gave 'restores' that are not an object");
  const restores: [standIn: string, value: string][] = [];
  for (const standIn of Object.keys(value)) {
    const original = value[standIn];
    if (standIn.trim() === '' || standIn.length > LONGEST_STAND_IN || typeof original !== 'string') {
      throw new PluginFault("gave 'restores' that are not texts by stand-ins of 1 to 200 characters");
    }
    restores.push([standIn, original]);
    if (restores.length % RESTORES_AT_ONCE === 0) yield;
  }
  return restores;
}

/** A rejection is valid even where its code or status is not, because the content must not pass. */
export function readRejection(result: Record<string, unknown>): Rejection {
  const { message, code, status } = result;
  const rejection: Rejection = {
    message:
      typeof message === 'string' && message !== ''
        ? message.slice(0, LONGEST_MESSAGE)
        : 'Rejected by a plugin of this endpoint.',
  };
  if (typeof code === 'string' && CODE.test(code)) rejection.code = code;
  if (typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 599) {
    rejection.status = status;
  }
  return rejection;
}

export function readTags(value: unknown): string[] {
  if (value === undefined) return [];
  if (
    !Array.isArray(value) ||
    !value.every((tag) => typeof tag === 'string' && tag !== '' && tag.length <= 256)
  ) {
    throw new PluginFault("gave 'addTags' that are not a list of texts of 1 to 256 characters");
  }
  if (value.length > 100) throw new PluginFault(`gave ${value.length} tags, more than 100`);
  return value as string[];
}

const FINDINGS_AT_ONCE = 500;

function listOfFindings({ findings = [] }: Record<string, unknown>): readonly unknown[] {
  if (!Array.isArray(findings)) throw new PluginFault("gave 'findings' that are not a list");
  return findings;
}

function readFinding(value: unknown): PluginFinding {
  if (!isFinding(value)) throw new PluginFault('gave a finding without type, start, end and score');
  const { type, place = '', start, end, score } = value;
  return { type, place, start, end, score };
}

/** A finding in a window has no place of its own yet. */
function isFinding(value: unknown): value is Omit<PluginFinding, 'place'> & { place?: string } {
  if (!isJsonObject(value)) return false;
  const { type, place, start, end, score } = value;
  return (
    typeof type === 'string' &&
    type.length <= 100 &&
    (place === undefined || typeof place === 'string') &&
    isOffset(start) &&
    isOffset(end) &&
    start <= end &&
    typeof score === 'number' &&
    Number.isFinite(score)
  );
}

export function isOffset(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

/** A copy of JSON values only. Debug output that is too long is replaced by a note, because it must not end a guard. */
function readJson(value: unknown, name: string): JsonValue {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    throw new PluginFault(`gave '${name}' that is not JSON`);
  }
  if (text === undefined) throw new PluginFault(`gave '${name}' that is not JSON`);
  if (text.length > MOST_NOTE_CHARACTERS)
    return { left_out: `${text.length} characters of JSON are more than a log keeps` };
  return JSON.parse(text) as JsonValue;
}
