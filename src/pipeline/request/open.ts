import type { ApiKey, Project } from '../../core/directory.js';
import { SluiceError } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import { readKeyText } from '../../core/key-text.js';
import { dialectOfPath, findCall, gatewayCallsOf, keyInQuery } from '../../dialects/calls.js';
import type { ModelsWriter } from '../../dialects/dialect.js';
import { Exchange } from '../exchange/exchange.js';
import type { Headers, Reply, RequestHead } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { errorReply, jsonReply } from '../exchange/replies.js';

/** The most characters of an origin that an error message repeats. */
const MOST_ORIGIN = 200;

/** What a request is, as its headers show. */
export type Opening =
  /** It is answered without reading the body, and not logged. */
  | { kind: 'reply'; reply: Reply }
  /** It is a model call with an accepted key. It will create one log. */
  | { kind: 'exchange'; exchange: Exchange };

/** Checks path, key, project and scope, in this order. */
export function open(head: RequestHead, envoyTraceparent: string | undefined, services: Services): Opening {
  const id = services.newLogId();
  const path = head.path.split('?', 1)[0]!;
  try {
    const [, projectUid = '', rest = ''] = /^\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const found = findCall(head.method, rest);
    if (found === undefined) throw isPreflight(head) ? noPage(head) : notFound(head.method, path, rest);
    const { call, address } = found;
    if (
      call.query !== undefined &&
      !head.path
        .slice(path.length + 1)
        .split('&')
        .includes(call.query)
    ) {
      throw new SluiceError(
        'invalid_request',
        `This call needs "?${call.query}": other forms are not served.`,
      );
    }
    const { project, key } = authenticate(projectUid, requireKey(head), services);
    if (call.kind === 'models') {
      const models = listModels(project, key, call.writeModels, found.listed, queryOf(head.path));
      return { kind: 'reply', reply: jsonReply(200, models, id) };
    }
    const exchange = new Exchange({
      id,
      call: call.kind,
      dialect: call.dialect,
      address,
      project,
      key,
      headers: forwardedHeaders(head.headers),
      clientRequestId: head.headers['x-client-request-id'] ?? null,
      trace: services.telemetry.startExchange({ traceparent: head.headers.traceparent, envoyTraceparent }),
      bodies: services.bodies.open(),
      startedAt: services.clock.now(),
      startedMonotonic: services.clock.monotonic(),
    });
    services.logger.debug(
      () => ({ log_id: id, project: project.uid, key: key.name, method: head.method, path }),
      'a request arrived',
    );
    return { kind: 'exchange', exchange };
  } catch (error) {
    if (error instanceof SluiceError)
      services.logger.debug(
        () => ({ log_id: id, method: head.method, path, code: error.code }),
        'a request was refused',
      );
    return { kind: 'reply', reply: errorReply(dialectOfPath(path), error, id) };
  }
}

/** The error for an unknown path. Most often the project is missing, or one step of the path is wrong. */
function notFound(method: string, path: string, rest: string): SluiceError {
  const withoutSlash = path.slice(1);
  const family = withoutSlash.split('/', 1)[0]!;
  if (gatewayCallsOf(family).length > 0) {
    const message = `There is no ${method} ${path} here: the project is missing. A base URL begins with the project's UID: /{project_uid}/${family}.`;
    return new SluiceError('not_found', message);
  }
  const known = gatewayCallsOf(rest);
  const hint = known.length === 0 ? '' : ` There is, below the project: ${known.join(', ')}.`;
  return new SluiceError('not_found', `There is no ${method} ${path} here.${hint}`);
}

function isPreflight({ method, headers }: RequestHead): boolean {
  return method === 'OPTIONS' && headers.origin !== undefined;
}

/**
 * The error for a page that may not call a project. It is the same for a project that does not exist, so that nobody
 * can find out which projects exist.
 */
function noPage({ headers }: RequestHead): SluiceError {
  const origin = headers.origin!.slice(0, MOST_ORIGIN);
  return new SluiceError('not_found', `The project's cors.origins does not name the origin ${origin}.`);
}

function queryOf(path: string): URLSearchParams {
  const at = path.indexOf('?');
  return new URLSearchParams(at === -1 ? '' : path.slice(at + 1));
}

function listModels(
  { endpoints }: Project,
  key: ApiKey,
  { list, one }: ModelsWriter,
  name: string | undefined,
  query: URLSearchParams,
): string {
  if (name === undefined) {
    const all = [...endpoints.keys()]
      .filter((known) => mayCall(key, known))
      .map((known) => ({ name: known }));
    return list(all, query);
  }
  if (!endpoints.has(name)) throw noEndpoint(name);
  if (!mayCall(key, name)) throw endpointNotAllowed(name);
  return one({ name });
}

/** Whether a key may call the endpoint of this name. */
export function mayCall({ endpoints }: ApiKey, name: string): boolean {
  return endpoints === undefined || endpoints.includes(name);
}

export function endpointNotAllowed(name: string): SluiceError {
  return new SluiceError('endpoint_not_allowed', `The API key may not call the endpoint "${name}".`, {
    param: 'model',
  });
}

/** The error for a name that is not an endpoint of the project. */
export function noEndpoint(name: string): SluiceError {
  return new SluiceError('model_not_found', `The project has no endpoint "${name}".`, { param: 'model' });
}

function requireKey({ headers, path }: RequestHead): string {
  const key = readKeyText(headers) ?? keyInQuery(path);
  if (key === undefined) {
    throw new SluiceError(
      'invalid_api_key',
      'No API key was given. Send it as "Authorization: Bearer <key>" or as "x-api-key".',
    );
  }
  return key;
}

function authenticate(projectUid: string, keyText: string, services: Services) {
  const project = isUuid(projectUid) ? services.directory.project(projectUid.toLowerCase()) : undefined;
  const key = project?.enabled ? services.directory.authenticate(project.uid, keyText) : undefined;
  // The same answer for an unknown project and a wrong key, so that nobody can find out which projects exist.
  if (project === undefined || key === undefined) {
    throw new SluiceError('invalid_api_key', 'The API key is not valid for this project.');
  }
  if (!key.scopes.includes('inference')) {
    throw new SluiceError('insufficient_scope', 'The API key lacks the scope "inference".');
  }
  return { project, key };
}

const CREDENTIALS = new Set([
  'authorization',
  'proxy-authorization',
  'x-api-key',
  'x-goog-api-key',
  'api-key',
  'cookie',
]);

/** Whether a client's header is a credential, or belongs to Envoy or the gateway, and so must not be forwarded. */
function isInternalHeader(name: string): boolean {
  return (
    CREDENTIALS.has(name) ||
    name === 'x-inference-log-id' ||
    name.startsWith('x-sluice-') ||
    name.startsWith('x-envoy-') ||
    name.startsWith('x-forwarded-') ||
    name === 'forwarded'
  );
}

function forwardedHeaders(headers: Headers): Headers {
  const forwarded: Record<string, string> = {};
  for (const name in headers) {
    if (!name.startsWith(':') && !isInternalHeader(name)) forwarded[name] = headers[name]!;
  }
  return forwarded;
}
