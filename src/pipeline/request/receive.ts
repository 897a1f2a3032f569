import { isUtf8 } from 'node:buffer';
import { SluiceError } from '../../core/errors.js';
import type { JsonDocument, JsonValue } from '../../core/json.js';
import { isJsonObject, memberText, tooLargeNumber } from '../../core/json.js';
import { overBound, scanBounds } from '../../core/json-scan.js';
import { decodeText, onlyLastKeys, readJson } from '../../core/pacing/heavy-json.js';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import type { ReadJson } from '../../core/pacing/json-in-pieces.js';
import { whereLongInTurns } from '../../core/pacing/long-work.js';
import { type Endpoint, jsonValidationOf } from '../../core/settings.js';
import type { RequestView } from '../../dialects/dialect.js';
import { tagsOf } from '../../logs/tags.js';
import { type OutputContract, prepareContract } from '../../validation/output-contract.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Headers } from '../exchange/http.js';
import { hostContext, MOST_SHOWN_TEXTS } from '../exchange/plugin-context.js';
import type { Services } from '../exchange/ports.js';
import { admit } from './admit.js';
import { readCountTokensView } from './count-tokens.js';
import { duePlugins } from './due-plugins.js';
import { makePlan } from './make-plan.js';
import { observeRequest } from './observe-request.js';
import { endpointNotAllowed, mayCall, noEndpoint } from './open.js';

/**
 * The client's whole request: JSON, shape, endpoint, request plugins, schema, plan, in this order. Afterwards the
 * exchange holds all that its attempts need. Throws the SluiceError that ends it.
 */
export async function receive(exchange: Exchange, body: Buffer, services: Services): Promise<void> {
  if (!services.sink.accepts()) {
    throw new SluiceError('spool_full', 'There is no room for the log of this request. Try again later.');
  }
  const document = await parseBody(body, exchange.headers, services.limits().body_values);
  exchange.original = document;
  exchange.document = document;
  await heavyWork.turn(body.length);
  const viewing = readView(exchange, document);
  const view = viewing instanceof Promise ? await viewing : viewing;
  exchange.view = view;
  if (view.metadata !== null) {
    checkMetadata(view.metadata, services.limits().metadata_bytes);
    exchange.metadata = view.metadata;
    exchange.tags = tagsOf(view.metadata, () => memberText(document.text, 'metadata')!);
  }
  const endpoint = findEndpoint(exchange, view.model);
  exchange.endpoint = endpoint;
  if (exchange.project.limits !== undefined) await admit(exchange, endpoint, services);
  const { enforced, observing } = duePlugins(services.pluginsOf(endpoint), exchange.id);
  exchange.plugins = enforced;
  exchange.observers = observing;
  observeRequest(exchange, services);
  if (exchange.plugins.length > 0) await runRequestPlugins(exchange, services);
  if (exchange.call === 'answer') exchange.contract = await contractOf(exchange, document, view, services);
  exchange.plan = makePlan(exchange, endpoint, services);
}

function readView(exchange: Exchange, document: JsonDocument): RequestView | Promise<RequestView> {
  return whereLongInTurns(
    exchange.call === 'answer'
      ? exchange.dialect.readRequest(document, exchange.address)
      : readCountTokensView(exchange, document),
  );
}

/** What the endpoint has checked of the answer, by what the client sent. */
async function contractOf(
  { endpoint, dialect, standIns, view: shown }: Exchange,
  document: JsonDocument,
  sent: RequestView,
  services: Services,
): Promise<OutputContract | undefined> {
  const checks = jsonValidationOf(endpoint!);
  if (checks === undefined) return undefined;
  // What is put back is judged as the client will see it, by the schema as it sent it.
  const view = standIns.size > 0 ? sent : shown!;
  const tools = checks.tools === 'none' ? undefined : dialect.readTools(document);
  return prepareContract(services.validation, { ...view, tools, allTools: checks.tools === 'all' });
}

function findEndpoint(exchange: Exchange, name: string): Endpoint {
  const endpoint = exchange.project.endpoints.get(name);
  if (endpoint === undefined) throw noEndpoint(name);
  if (!mayCall(exchange.key, name)) throw endpointNotAllowed(name);
  return endpoint;
}

async function parseBody(body: Buffer, headers: Headers, maxValues: number): Promise<JsonDocument> {
  await heavyWork.turn(body.length);
  if (!isUtf8(body))
    throw new SluiceError('invalid_request', `The body is not valid UTF-8${packedHint(headers)}.`);
  const decoded = decodeText(body);
  const text = typeof decoded === 'string' ? decoded : await decoded;
  await heavyWork.turn(body.length);
  const bound = scanBounds(text, maxValues);
  if (bound !== undefined)
    throw new SluiceError('invalid_request', `The body ${overBound(bound, maxValues)}.`);
  let read: ReadJson;
  try {
    const reading = readJson(text);
    read = reading instanceof Promise ? await reading : reading;
  } catch (error) {
    // The engine shows where by a piece of the text, which no plugin has looked at.
    throw new SluiceError('invalid_request', `The body is not valid JSON: ${(error as Error).message}`, {
      logMessage: 'The body is not valid JSON.',
    });
  }
  const { value, repeatsKeys, texts } = read;
  if (!isJsonObject(value)) throw new SluiceError('invalid_request', 'The body must be a JSON object.');
  return { text, value, repeatsKeys, texts };
}

/** Why a body is no text, where its client compressed it. */
function packedHint({ 'content-encoding': encoding = 'identity' }: Headers): string {
  return encoding === 'identity' ? '' : `: send it as it is, and not with content-encoding ${encoding}`;
}

/** MongoDB keeps no key with NUL in it, so it is refused here, where the client can still mend it. */
function checkMetadata(metadata: JsonValue, maxBytes: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maxBytes) {
    throw new SluiceError('invalid_request', `metadata is ${bytes} bytes; the limit is ${maxBytes}.`, {
      param: 'metadata',
    });
  }
  const large = tooLargeNumber(metadata, 'metadata');
  if (large !== undefined) {
    throw new SluiceError('invalid_request', `${large} is a number that is too large to be kept.`, {
      param: 'metadata',
    });
  }
  const path = keyWithNul(metadata, 'metadata');
  if (path !== undefined) {
    throw new SluiceError('invalid_request', `A key in ${path} holds the character NUL.`, {
      param: 'metadata',
    });
  }
}

function keyWithNul(value: JsonValue, path: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    if (key.includes('\0')) return path;
    const found = keyWithNul(member, `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

function refuseTooManyTexts({ original, plugins }: Exchange): void {
  if ((original?.texts ?? 0) <= MOST_SHOWN_TEXTS) return;
  if (plugins.every(({ entry }) => entry.on_error === 'allow')) return;
  throw new SluiceError(
    'request_too_large',
    `The request has more than ${MOST_SHOWN_TEXTS} strings and names of members, more than its plugins are shown.`,
  );
}

async function runRequestPlugins(exchange: Exchange, services: Services): Promise<void> {
  if (!exchange.plugins.some((plugin) => plugin.phases.includes('request'))) return;
  refuseTokens(exchange);
  refuseTooManyTexts(exchange);
  const { original } = exchange as Required<Pick<Exchange, 'original'>>;
  const document = await onlyLastKeys(original);
  exchange.document = document;
  await heavyWork.turn(original.text.length);
  const reading = whereLongInTurns(exchange.dialect.readMessages(document));
  const messages = reading instanceof Promise ? await reading : reading;
  const outcome = await services.plugins.runRequest(
    exchange.plugins,
    hostContext(exchange),
    messages,
    document.value,
  );
  exchange.pluginRuns.push(...outcome.runs);
  // What was masked stays so where a later plugin rejects: the log is written from these.
  exchange.messages = outcome.content;
  exchange.guarded = document;
  if (outcome.modified) {
    const writing = whereLongInTurns(exchange.dialect.writeMessages(document, outcome.content));
    exchange.document = writing instanceof Promise ? await writing : writing;
  }
  if (outcome.rejection !== undefined) throw outcome.rejection;
  if (!outcome.modified) return;
  // Names, titles and the schema may have changed with the texts.
  const rereading = whereLongInTurns(exchange.dialect.readMessages(exchange.document));
  exchange.messages = rereading instanceof Promise ? await rereading : rereading;
  exchange.view = await readView(exchange, exchange.document);
}

/** What plugins cannot read goes past those alone that may be passed over. */
function refuseTokens({ view, plugins }: Exchange): void {
  const place = view?.tokensAt;
  const blind = plugins.find(({ phases, entry }) => phases.includes('request') && entry.on_error !== 'allow');
  if (place === undefined || blind === undefined) return;
  throw new SluiceError(
    'invalid_request',
    `'${place}' holds token numbers, which the plugin ${blind.entry.plugin} of this endpoint cannot read. Send text.`,
    { param: place },
  );
}
