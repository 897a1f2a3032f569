import type { JsonValue } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';

/*
 * A line of training data pairs a prompt with an answer, and both must contain names in the same form. A log may have
 * the prompt as the client wrote it, with real names, and the answer of a model that saw placeholders. What the
 * client got then has the form of the prompt. Where no answer has the form of the prompt, the line is left out.
 */

type Kept = Pick<LogRecord, 'request_kept' | 'client_response' | 'client_response_kept' | 'response'>;

/** The answer that goes with the prompt: what the client got, where the prompt is as the client wrote it. */
export function answerInFormOfPrompt(log: Kept): JsonValue {
  const { request_kept, client_response, client_response_kept, response } = log;
  const isAsSent = request_kept === 'as_it_was' && client_response_kept === 'as_it_was';
  return isAsSent && client_response !== undefined ? client_response : response;
}

/** Whether a text has placeholders of plugins, while the prompt has the original values. */
export function* isOfAnotherForm(record: LogRecord, text: string): Steps<boolean> {
  if (!(yield* isPromptAsSent(record))) return false;
  const prompt = yield* stringifyInSteps(record.request);
  return placeholdersIn(record, text).some((placeholder) => !prompt.includes(placeholder));
}

/**
 * Whether the prompt is as the client sent it. Logs of older versions do not say so: in these, a prompt that a plugin
 * changed and that contains no placeholder counts as unchanged.
 */
function* isPromptAsSent(record: LogRecord): Steps<boolean> {
  if (record.request_kept !== undefined) return record.request_kept === 'as_it_was';
  const isChanged = record.plugin_runs.some(
    ({ phase, outcome, observed }) => phase === 'request' && outcome === 'modified' && !observed,
  );
  return isChanged && placeholdersIn(record, yield* stringifyInSteps(record.request)).length === 0;
}

/**
 * The placeholders in a text, of the types that plugins found in this log: `<PERSON>`, `<PERSON_1>`, `<PERSON_A1>`,
 * `<PERSON_3F09A1_1>`.
 */
function placeholdersIn({ plugin_runs }: LogRecord, text: string): string[] {
  if (!text.includes('<')) return [];
  const types = new Set(plugin_runs.flatMap(({ findings }) => findings.map(({ type }) => type)));
  return [...text.matchAll(/<([A-Z][A-Z0-9_]*?)((?:_[0-9A-F]{6})?_[A-Z]?\d+)?>/g)]
    .filter(([, type = '']) => types.has(type))
    .map(([placeholder]) => placeholder);
}
