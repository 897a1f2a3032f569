import { isUtf8 } from 'node:buffer';
import { SluiceError } from '../../core/errors.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import { isJsonObject, lengthOf, memberText, tooLargeNumber } from '../../core/json.js';
import { type JsonOutline, overBound } from '../../core/json-scan.js';
import { isSmallPart } from '../../core/lists/small-part.js';
import type { Message } from '../../core/message.js';
import { decodeText, onlyLastKeys, readJson } from '../../core/pacing/heavy-json.js';
import { heavyWork, isHeavy } from '../../core/pacing/heavy-work.js';
import type { ReadJson } from '../../core/pacing/json-in-pieces.js';
import { isLater, type MaybePromise, recover, settle } from '../../core/pacing/maybe-promise.js';
import { runSteps } from '../../core/pacing/steps.js';
import { type Endpoint, jsonValidationOf } from '../../core/settings.js';
import { BytesDocument, LEAST_COPIED } from '../../core/written-json/bytes-document.js';
import { scanDocument } from '../../core/written-json/scan-document.js';
import type { RequestView } from '../../dialects/dialect.js';
import { tagsOf } from '../../logs/tags.js';
import { modelKey } from '../../routing/plan.js';
import { type OutputContract, prepareContract } from '../../validation/output-contract.js';
import type { Exchange } from '../exchange/exchange.js';
import type { GuardedRequest, ReceivedRequest } from '../exchange/parts.js';
import { hostContext, MOST_SHOWN_TEXTS } from '../exchange/plugin-context.js';
import type { Services } from '../exchange/ports.js';
import { admit } from './admit.js';
import { openCounted, readCountTokensView } from './count-tokens.js';
import { duePlugins } from './due-plugins.js';
import { makePlan } from './make-plan.js';
import { observeRequest } from './observe-request.js';
import { endpointNotAllowed, mayCall, noEndpoint } from './open.js';
import { encodingOf, unpackBody } from './unpack-body.js';

/**
 * The client's whole request: JSON, shape, endpoint, request plugins, schema, plan, in this order. Afterwards the
 * exchange holds all that its attempts need. Throws the SluiceError that ends it.
 */
export async function receive(exchange: Exchange, body: Buffer, services: Services): Promise<void> {
  if (!services.sink.accepts()) {
    throw new SluiceError('spool_full', 'There is no room for the log of this request. Try again later.');
  }
  const limits = services.limits();
  const encoding = encodingOf(exchange.headers);
  const plain = encoding === undefined ? body : await unpackBody(body, encoding, limits.request_body_bytes);
  if (plain !== body) exchange.bodies.add(plain.length);
  const parsing = parseBody(plain, limits.body_values);
  const parsed = isLater(parsing) ? await parsing : parsing;
  const document = exchange.call === 'answer' ? parsed : openCounted(exchange, parsed);
  if (isHeavy(body.length)) await heavyWork.next();
  const viewing = readView(exchange, document);
  const view = isLater(viewing) ? await viewing : viewing;
  const { metadata } = view;
  const mistake =
    metadata === null ? undefined : findMetadataMistake(metadata, services.limits().metadata_bytes);
  exchange.received =
    metadata === null || mistake !== undefined
      ? { document, view, metadata: {}, tags: [] }
      : { document, view, metadata, tags: tagsOf(metadata, () => memberText(document.text, 'metadata')!) };
  if (mistake !== undefined) throw mistake;
  const endpoint = findEndpoint(exchange, view.model);
  const { enforced, observing } = duePlugins(services.pluginsOf(endpoint), exchange.id);
  exchange.target = { endpoint, plugins: enforced, observers: observing };
  // The endpoint is set before this, so that the log of a refused request does not show content that no guard has
  // seen.
  if (exchange.project.limits !== undefined) await admit(exchange, endpoint, services);
  observeRequest(exchange, services);
  if (enforced.length > 0) await runRequestPlugins(exchange, exchange.received, services);
  const agreeing = exchange.call === 'answer' ? contractOf(exchange, document, view, services) : undefined;
  const contract = isLater(agreeing) ? await agreeing : agreeing;
  const plan = { contract, ...makePlan(exchange, endpoint, services) };
  exchange.plan = plan;
  services.logger.debug(
    () => ({
      log_id: exchange.id,
      endpoint: endpoint.name,
      models: plan.models.map(modelKey),
      stream: view.stream,
      checked_output: contract !== undefined,
      plugins: enforced.map(({ entry }) => entry.plugin),
      observing: observing.map(({ entry }) => entry.plugin),
    }),
    'a request was planned',
  );
}

function readView(exchange: Exchange, document: JsonDocument): MaybePromise<RequestView> {
  return runSteps(
    exchange.call === 'answer'
      ? exchange.dialect.readRequest(document, exchange.address)
      : readCountTokensView(exchange, document),
  );
}

/** What the answer must satisfy, by the endpoint's settings and the client's request. */
function contractOf(
  { endpoint, dialect, standIns, view: shown }: Exchange,
  document: JsonDocument,
  sent: RequestView,
  services: Services,
): MaybePromise<OutputContract | undefined> {
  const checks = jsonValidationOf(endpoint!);
  if (checks === undefined) return undefined;
  // Restored values are judged in the form in which the client will see them, against the schema that the client
  // sent.
  const view = standIns.size > 0 ? sent : shown!;
  const tools = checks.tools === 'none' ? undefined : dialect.readTools(document);
  return prepareContract(services.validation, { tools, allTools: checks.tools === 'all', ...view });
}

function findEndpoint(exchange: Exchange, name: string): Endpoint {
  const endpoint = exchange.project.endpoints.get(name);
  if (endpoint === undefined) throw noEndpoint(name);
  if (!mayCall(exchange.key, name)) throw endpointNotAllowed(name);
  return endpoint;
}

function parseBody(body: Buffer, maxValues: number): MaybePromise<JsonDocument> {
  const turn = () => heavyWork.turn(body.length);
  return settle(turn(), () => {
    if (!isUtf8(body)) throw new SluiceError('invalid_request', 'The body is not valid UTF-8.');
    return settle(decodeText(body), (text) => settle(turn(), () => parseText(body, text, maxValues)));
  });
}

function parseText(body: Buffer, text: string, maxValues: number): MaybePromise<JsonDocument> {
  const { bound, outline } = scanDocument(text, maxValues);
  if (bound !== undefined)
    throw new SluiceError('invalid_request', `The body ${overBound(bound, maxValues)}.`);
  const reading = recover(() => readJson(text), refuseText);
  return settle(reading, (read) => documentOf(body, text, read, outline));
}

/** The engine's own message contains a piece of the text, which no plugin has checked, so it is not logged. */
function refuseText(error: unknown): never {
  throw new SluiceError('invalid_request', `The body is not valid JSON: ${(error as Error).message}`, {
    logMessage: 'The body is not valid JSON.',
  });
}

function documentOf(body: Buffer, text: string, read: ReadJson, outline?: JsonOutline): JsonDocument {
  const { value, repeatsKeys, texts } = read;
  if (!isJsonObject(value)) throw new SluiceError('invalid_request', 'The body must be a JSON object.');
  const isKept = body.length >= LEAST_COPIED && !isHeavy(body.length);
  if (isKept) return new BytesDocument(isSmallPart(body) ? Buffer.from(body) : body, text, value, outline);
  return { text, value, repeatsKeys, texts, outline };
}

/** Why metadata cannot be stored: it is too large, or MongoDB would not return it unchanged. */
function findMetadataMistake(metadata: JsonObject, maxBytes: number): SluiceError | undefined {
  const refused = (message: string) => new SluiceError('invalid_request', message, { param: 'metadata' });
  const bytes = Buffer.byteLength(JSON.stringify(metadata));
  if (bytes > maxBytes) return refused(`metadata is ${bytes} bytes; the limit is ${maxBytes}.`);
  const large = tooLargeNumber(metadata, 'metadata');
  if (large !== undefined) return refused(`${large} is a number that is too large to be kept.`);
  const path = keyWithNul(metadata, 'metadata');
  return path === undefined ? undefined : refused(`A key in ${path} holds the character NUL.`);
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

function refuseTooManyTexts({ document }: ReceivedRequest, { plugins }: Exchange): void {
  if ((document.texts ?? 0) <= MOST_SHOWN_TEXTS) return;
  if (plugins.every(({ entry }) => entry.on_error === 'allow')) return;
  throw new SluiceError(
    'request_too_large',
    `The request has more than ${MOST_SHOWN_TEXTS} strings and member names, which is more than its plugins can check.`,
  );
}

async function runRequestPlugins(
  exchange: Exchange,
  received: ReceivedRequest,
  services: Services,
): Promise<void> {
  if (!exchange.plugins.some((plugin) => plugin.phases.includes('request'))) return;
  const { view } = received;
  refuseTokens(view, exchange);
  refuseTooManyTexts(received, exchange);
  const before = await onlyLastKeys(received.document);
  await heavyWork.turn(lengthOf(received.document));
  const reading = runSteps(exchange.dialect.readMessages(before));
  const messages = await reading;
  const outcome = await services.plugins.runRequest(
    exchange.plugins,
    hostContext(exchange),
    messages,
    before.value,
  );
  exchange.pluginRuns.push(...outcome.runs);
  const document = outcome.modified ? await writeMessages(exchange, before, outcome.content) : before;
  // Where a plugin ends the exchange, its log shows what the plugins before it made of the request.
  exchange.guarded = { before, document, view, messages: outcome.content };
  if (outcome.rejection !== undefined) throw outcome.rejection;
  if (outcome.modified) exchange.guarded = await readAgain(exchange, before, document);
}

async function writeMessages(
  { dialect }: Exchange,
  before: JsonDocument,
  content: Message[],
): Promise<JsonDocument> {
  const writing = runSteps(dialect.writeMessages(before, content));
  return await writing;
}

/** Reads the request again, because names, titles and the schema may have changed with the texts. */
async function readAgain(
  exchange: Exchange,
  before: JsonDocument,
  document: JsonDocument,
): Promise<GuardedRequest> {
  const rereading = runSteps(exchange.dialect.readMessages(document));
  const messages = await rereading;
  return { before, document, view: await readView(exchange, document), messages };
}

/** Refuses token numbers, which plugins cannot read, unless every plugin allows what it cannot check. */
function refuseTokens({ tokensAt: place }: RequestView, { plugins }: Exchange): void {
  const blind = plugins.find(({ phases, entry }) => phases.includes('request') && entry.on_error !== 'allow');
  if (place === undefined || blind === undefined) return;
  throw new SluiceError(
    'invalid_request',
    `'${place}' holds token numbers, which the plugin ${blind.entry.plugin} of this endpoint cannot read. Send text.`,
    { param: place },
  );
}
