import type { Answer } from '../../core/answer.js';
import { SluiceError } from '../../core/errors.js';
import type { JsonDocument, JsonValue } from '../../core/json.js';
import { onlyLastKeys } from '../../core/pacing/heavy-json.js';
import { isLater, type MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Steps } from '../../core/pacing/steps.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { Dialect } from '../../dialects/dialect.js';
import { formatFrame } from '../../dialects/wire/sse.js';
import {
  errorInSuccess,
  loggedError,
  loggedStreamFailure,
  readProviderError,
  saysNothing,
} from '../attempt/attempt-outcome.js';
import { UNKNOWN_SHAPE } from '../attempt/failures.js';
import { loggedCode, statusMessage } from '../attempt/provider-words.js';
import { isSuccess } from '../attempt/read/answer-collector.js';
import { answerContext, isForeign, parseOwnJson, plainDocument, plainForm } from '../exchange/answer-form.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import { isGuarded } from '../exchange/response-guards.js';
import type { HeldStream, WholeAnswer } from '../exchange/whole-answer.js';
import { failGuards, guardAnswer, isTooMuchToShow } from './guard-answer.js';
import { guardHeldStream } from './guard-held-stream.js';
import { replaceRepeatedInSteps } from './stream/repeated-texts.js';
import { keepsValues, restoreAnswer, restoredValue } from './stream/restore-answer.js';
import { restoreFrames } from './stream/restore-stream.js';
import { writeStream } from './write-stream.js';

/** A status whose answer has no body, so that it cannot say what went wrong. */
const NOT_MODIFIED = 304;

/** A provider's headers that describe its body. They stay correct where the body is passed on unchanged. */
const OF_A_BODY = new Set(['content-type', 'content-encoding']);

/** A complete answer in the form that the client gets, and how the exchange ends with it. */
export interface Composed {
  /** Only the headers that describe the body. */
  headers: Record<string, string>;
  body: Buffer;
  ending: Ending;
}

/**
 * Writes a complete answer in the client's dialect, after the response plugins saw it. `changed` replaces the
 * answer's texts, for example without code fences. Throws the rejection of a plugin, or `output_validation_failed`
 * where a plugin made the output invalid.
 */
export async function composeWhole(
  exchange: Exchange,
  whole: WholeAnswer,
  changed: Answer | undefined,
  services: Services,
): Promise<Composed> {
  if (whole.kind === 'bytes' || whole.answer === undefined || !isSuccess(whole.head.status)) {
    return passOn(exchange, whole);
  }
  const reading = readPartsAhead(exchange, whole);
  if (isLater(reading)) await reading;
  if (isGuarded(exchange) && (await runSteps(isTooMuchToShow(whole.answer)))) return passOn(exchange, whole);
  const failed = whole.kind === 'stream' ? loggedStreamFailure(exchange, whole) : undefined;
  const { text, value, valueText, answer, modified, clientValue, isHidden } =
    whole.kind === 'stream'
      ? await composeStream(exchange, whole, changed, services)
      : await composeJson(exchange, whole, changed, services);
  const { invalid } = exchange.released;
  return {
    headers: { 'content-type': whole.kind === 'stream' ? 'text/event-stream' : 'application/json' },
    body: Buffer.from(text),
    ending: {
      status: invalid !== undefined ? 'invalid_output' : failed === undefined ? 'success' : 'error',
      httpStatus: whole.head.status,
      response: value,
      responseText: valueText,
      responseAsCame: modified ? await runSteps(plainForm(exchange, whole.answer)) : undefined,
      ...(isHidden ? { isHidden, clientResponse: clientValue } : {}),
      answer,
      error: errorIn(invalid, failed),
    },
  };
}

/** Reads the parts of the answer in steps, where they will be needed. */
function readPartsAhead(exchange: Exchange, { answer }: { answer?: Answer }): MaybePromise<void> {
  const { dialect } = exchange.currentAttempt!;
  const isRead = isGuarded(exchange) || dialect !== exchange.dialect || exchange.standIns.size > 0;
  if (isRead && dialect.readParts !== undefined) return runSteps(dialect.readParts(answer!));
}

function errorIn(invalid: SluiceError | undefined, failed: string | undefined): Ending['error'] {
  if (invalid !== undefined) return { code: invalid.clientCode, message: invalid.logMessage };
  return failed === undefined ? undefined : { code: 'upstream_unavailable', message: failed };
}

/** The answer that is sent: its text, and in plain form for the log and as an `Answer`. */
interface Written {
  text: string;
  value: JsonValue;
  /** The JSON text of that value, where it exists already. */
  valueText?: string;
  answer: Answer;
  /** Whether a plugin changed it. */
  modified: boolean;
  /** Set where the client gets the original values in place of stand-ins. */
  isHidden?: true;
  /** What the client gets in that case, where the log may contain it. */
  clientValue?: JsonValue;
}

async function composeStream(
  exchange: Exchange,
  whole: HeldStream,
  changed: Answer | undefined,
  services: Services,
): Promise<Written> {
  const { answer, modified, frames } = await guardHeldStream(exchange, whole, changed, services);
  const logged = await runSteps(plainDocument(exchange, answer));
  const { dialect } = exchange.currentAttempt!;
  const shown = await runSteps(restoreAnswer(exchange, answer));
  // Where the text of frames cannot be replaced in place, all frames are written anew.
  const anew = modified || changed !== undefined || (shown !== answer && dialect.guardsWhole === true);
  const asCame = anew || dialect.guardsWhole === true || exchange.standIns.size === 0;
  const own = asCame ? frames : await restoreFrames(exchange, dialect, frames);
  const text = await runSteps(writeStream(exchange, { ...whole, frames: own }, shown, anew));
  const restored = shown === answer ? {} : await restoredValue(exchange, shown);
  return { text, value: logged.value, valueText: logged.text, answer, modified, ...restored };
}

async function composeJson(
  exchange: Exchange,
  whole: WholeAnswer & { kind: 'json' },
  changed: Answer | undefined,
  services: Services,
): Promise<Written> {
  const guarding = guardAnswer(exchange, changed ?? whole.answer!, services);
  const { answer, modified } = isLater(guarding) ? await guarding : guarding;
  const edited = modified || changed !== undefined;
  const single = isGuarded(exchange) ? await withOneOfEachKey(whole) : whole;
  const writing = runSteps(writeJson(exchange, single, edited ? answer : undefined));
  const logged = isLater(writing) ? await writing : writing;
  // The value of an answer that is not parsed completely has less than its text.
  const valueText = exchange.currentAttempt!.dialect.openAnswer === undefined ? logged.text : undefined;
  const restoring = exchange.standIns.size === 0 ? answer : runSteps(restoreAnswer(exchange, answer));
  const shown = isLater(restoring) ? await restoring : restoring;
  if (shown === answer) return { text: logged.text, value: logged.value, valueText, answer, modified };
  const { text, value } = await runSteps(writeJson(exchange, single, shown));
  const restored = keepsValues(exchange) ? { clientValue: value } : {};
  return { text, value: logged.value, valueText, answer, modified, isHidden: true, ...restored };
}

type JsonAnswer = WholeAnswer & { kind: 'json' };

/** The answer as the guard saw it, without repeated keys. */
function withOneOfEachKey(whole: JsonAnswer): MaybePromise<JsonAnswer> {
  const last = onlyLastKeys(whole.document);
  if (last === whole.document) return whole;
  return Promise.resolve(last).then((document) => ({ ...whole, document }));
}

/**
 * Passes on a provider's error, or an answer of unknown format: unchanged where the client speaks the same dialect.
 * Throws `upstream_unavailable` for an answer that can neither be read nor passed on.
 */
function passOn(exchange: Exchange, whole: WholeAnswer): Composed {
  const attempt = exchange.currentAttempt!;
  const { status } = whole.head;
  const foreign = isForeign(exchange, attempt);
  const disguised = errorInSuccess(exchange, attempt, whole);
  if (disguised !== undefined) throw new SluiceError('upstream_unavailable', disguised);
  if (foreign && (isSuccess(status) || status === NOT_MODIFIED))
    throw new SluiceError('upstream_unavailable', isSuccess(status) ? UNKNOWN_SHAPE : statusMessage(status));
  const unseen = isSuccess(status) && isGuarded(exchange);
  if (unseen) failGuards(exchange, 'the answer cannot be read');
  const known = readProviderError(attempt, whole);
  const failed = !isSuccess(status) || saysNothing(exchange, whole);
  const error = {
    code: loggedCode(
      known.code ?? known.type ?? (isSuccess(status) ? 'upstream_unavailable' : 'provider_error'),
    ),
    message: loggedError(exchange, attempt, whole),
  };
  const ending = {
    status: failed ? ('error' as const) : ('success' as const),
    httpStatus: status,
  };
  if (foreign) {
    const text = exchange.dialect.translateError(known, status, exchange.id);
    const response = JSON.parse(text) as JsonValue;
    return {
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(text),
      ending: { status: ending.status, httpStatus: status, response, error },
    };
  }
  const body = whole.kind === 'bytes' ? whole.body : Buffer.from(bodyText(whole));
  const response = whole.kind === 'json' ? whole.document.value : body.toString('utf8');
  return {
    // The body has a content encoding that the engine cannot decode, so it is passed on in that encoding.
    headers: Object.fromEntries(Object.entries(whole.head.headers).filter(([name]) => OF_A_BODY.has(name))),
    body,
    ending: {
      status: ending.status,
      httpStatus: status,
      // Content that no guard has seen is only for a log with `log_content: full`.
      ...(unseen
        ? { response: null, responseAsCame: response, clientResponse: response, isHidden: true as const }
        : { response }),
      error: failed ? error : undefined,
    },
  };
}

function bodyText(whole: Exclude<WholeAnswer, { kind: 'bytes' }>): string {
  return whole.kind === 'json' ? whole.document.text : whole.frames.map(formatFrame).join('');
}

function* writeJson(
  exchange: Exchange,
  whole: WholeAnswer & { kind: 'json' },
  changed: Answer | undefined,
): Steps<{ text: string; value: JsonValue }> {
  const attempt = exchange.currentAttempt!;
  if (attempt.dialect !== exchange.dialect) {
    const context = answerContext(exchange, attempt);
    return yield* parsed(yield* exchange.dialect.writeAnswer(changed ?? whole.answer!, context));
  }
  const adapted = yield* exchange.dialect.adaptAnswer(whole.document, { logId: exchange.id }, changed);
  return changed === undefined
    ? adapted
    : yield* withoutRepeats(exchange.dialect, adapted, whole.answer!, changed);
}

function* parsed(text: string): Steps<{ text: string; value: JsonValue }> {
  return { text, value: yield* parseOwnJson(text) };
}

const CHOICES_AT_ONCE = 250;

/** Where an answer repeats its texts, for example in token probabilities, the old texts are replaced there too. */
function* withoutRepeats(
  dialect: Dialect,
  { text, value }: JsonDocument,
  came: Answer,
  changed: Answer,
): Steps<{ text: string; value: JsonValue }> {
  const texts = new Map<string, string>();
  for (const [index, choice] of came.choices.entries()) {
    if (index % CHOICES_AT_ONCE === CHOICES_AT_ONCE - 1) yield;
    for (const [at, part] of choice.parts.entries()) {
      const now = changed.choices[index]?.parts[at];
      if (now === undefined || !('text' in part) || !('text' in now)) continue;
      if (part.text !== now.text) texts.set(part.text, now.text);
    }
  }
  const single = yield* replaceRepeatedInSteps(text, value, {
    texts,
    probabilities: dialect.tokenProbabilities,
  });
  return single === text ? { text, value } : yield* parsed(single);
}
