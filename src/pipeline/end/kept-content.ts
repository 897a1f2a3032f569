import { isDeepStrictEqual } from 'node:util';
import { type JsonDocument, type JsonObject, type JsonValue, lengthOf } from '../../core/json.js';
import type { ContentKept, LogRecord } from '../../core/log-record.js';
import { copyMembers } from '../../core/pacing/copy-members.js';
import { isHeavy } from '../../core/pacing/heavy-work.js';
import type { Steps } from '../../core/pacing/steps.js';
import { BytesDocument } from '../../core/written-json/bytes-document.js';
import { isInFile } from '../../plugins/helpers/texts.js';
import { blankTextsInSteps, maskTextsInSteps } from '../../plugins/helpers/texts-in-steps.js';
import type { Ending } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import { hideContents, hideMetadata } from './hide-rejected.js';

/*
 * A log shows three things: what the client asked (`request`), what the model answered (`response`) and what the
 * client got (`client_response`, where it differs). With `log_content: full` each is kept as it was. With `masked`
 * the first two have placeholders in place of findings, and what the client got is kept only where it contains
 * nothing that was found, such as the error of a rejected answer.
 */

/** The texts of client and model in the form that the log may have. */
export interface RecordContent
  extends Pick<LogRecord, 'request_kept' | 'response_kept' | 'client_response' | 'client_response_kept'> {
  /** The request; null where the log may not contain any of it. */
  request: JsonDocument | null;
  /** The request without its metadata. Null also where it is there as bytes only. */
  requestBody: JsonObject | null;
  response: JsonValue;
  /** The response as JSON text, where it exists already. */
  responseText?: string;
}

/** The texts for the log. In steps, because texts are written. */
export function* recordContent(exchange: Exchange, ending: Ending): Steps<RecordContent> {
  const request = yield* requestContent(exchange);
  const isBytesOnly = request instanceof BytesDocument && !request.hasValue;
  const requestBody = request === null || isBytesOnly ? null : yield* withoutMetadata(request);
  const mode = exchange.endpoint?.log_content;
  if (mode === 'none') return { request, requestBody, response: null };
  const answer = mode === 'full' ? wholeAnswer(ending) : maskedAnswer(ending);
  return { request, requestBody, request_kept: keptRequest(exchange, request), ...answer };
}

type AnswerContent = Omit<RecordContent, 'request' | 'requestBody' | 'request_kept'>;

function wholeAnswer(ending: Ending): AnswerContent {
  const { response, responseText, responseAsCame, clientResponse = response } = ending;
  const said = responseAsCame === undefined ? response : responseAsCame;
  const changed = responseAsCame === undefined ? {} : ({ response_kept: 'as_it_was' } as const);
  const answer: AnswerContent = {
    response: said,
    ...(said === response ? { responseText } : {}),
    ...changed,
  };
  // The client may get exactly what the model answered, because a guard's placeholders were replaced by the values
  // again.
  if (clientResponse === said || isDeepStrictEqual(clientResponse, said)) return answer;
  answer.client_response = clientResponse;
  answer.client_response_kept = 'as_it_was';
  return answer;
}

function maskedAnswer(ending: Ending): AnswerContent {
  const { response, responseText, responseAsCame, clientResponse, isHidden } = ending;
  const changed = responseAsCame === undefined ? {} : ({ response_kept: 'masked' } as const);
  const answer: AnswerContent = { response, responseText, ...changed };
  if (isHidden) {
    answer.client_response_kept = 'masked';
  } else if (clientResponse !== undefined) {
    answer.client_response = clientResponse;
    answer.client_response_kept = 'as_it_was';
  }
  return answer;
}

/**
 * The request for the log. Null where no endpoint was found, because the endpoint's settings decide which content may
 * be kept.
 */
function* requestContent(exchange: Exchange): Steps<JsonDocument | null> {
  const { endpoint, received, guarded } = exchange;
  if (endpoint === undefined || received === undefined || endpoint.log_content === 'none') return null;
  if (endpoint.log_content === 'full') return received.document;
  if (isUnseen(exchange)) return null;
  const rejecting = rejectingRun(exchange);
  if (rejecting === undefined || guarded === undefined) return exchange.document!;
  // A finding inside a file cannot be masked.
  if (rejecting.findings.some(isInFile)) return null;
  if (rejecting.findings.length > 0) {
    const masked = yield* maskTextsInSteps(guarded.messages, rejecting.findings);
    return yield* exchange.dialect.writeMessages(guarded.before, masked);
  }
  const blank = yield* blankTextsInSteps(guarded.messages);
  const { standing, turns } = exchange.dialect.conversation;
  return yield* hideContents(yield* exchange.dialect.writeMessages(guarded.before, blank), [
    ...standing,
    ...turns,
  ]);
}

/** The metadata for the log, without the values for which a plugin rejected the request. */
export function keptMetadata(exchange: Exchange): { metadata: JsonObject; tags: string[] } {
  const { metadata = {}, tags = [] } = exchange.received ?? {};
  const findings = exchange.endpoint?.log_content === 'full' ? [] : (rejectingRun(exchange)?.findings ?? []);
  return hideMetadata(metadata, findings) ?? { metadata, tags };
}

function rejectingRun({ pluginRuns }: Exchange) {
  return pluginRuns.find((run) => run.phase === 'request' && run.outcome === 'rejected' && !run.observed);
}

function keptRequest(exchange: Exchange, request: JsonDocument | null): ContentKept | undefined {
  const isChanged = exchange.pluginRuns.some(
    ({ phase, outcome, observed }) =>
      phase === 'request' && !observed && (outcome === 'modified' || outcome === 'rejected'),
  );
  if (request === null || !isChanged) return undefined;
  return exchange.endpoint?.log_content === 'full' ? 'as_it_was' : 'masked';
}

function* withoutMetadata(document: JsonDocument): Steps<JsonObject> {
  const { value } = document;
  if (!Object.hasOwn(value, 'metadata')) return value;
  if (isHeavy(lengthOf(document))) return yield* copyMembers(value, ['metadata']);
  const { metadata: _metadata, ...rest } = value;
  return rest;
}

/** Whether request plugins had to run but the request ended before they had checked it. */
function isUnseen({ plugins, guarded }: Exchange): boolean {
  return guarded === undefined && plugins.some(({ phases }) => phases.includes('request'));
}
