import { SluiceError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { Dialect } from '../dialects/dialect.js';
import { dialectById } from '../dialects/index.js';
import { Exchange } from './exchange.js';
import type { Headers, Reply, RequestHead } from './http.js';
import type { Services } from './ports.js';
import { errorReply, jsonReply } from './replies.js';

/** What a request turned out to be once its head was read. */
export type Opening =
  /** Answered without a look at the body; no log. */
  | { kind: 'reply'; reply: Reply }
  /** A model call with an accepted key: it will make one log. */
  | { kind: 'exchange'; exchange: Exchange };

interface Call {
  method: 'GET' | 'POST';
  name: 'answer' | 'models';
  dialect: Dialect;
}

/** The calls of the gateway, by what follows the project in the path. A new dialect's call is one line. */
const CALLS: Record<string, Call> = {
  'POST openai/v1/chat/completions': { method: 'POST', name: 'answer', dialect: dialectById('openai.chat') },
  'GET openai/v1/models': { method: 'GET', name: 'models', dialect: dialectById('openai.chat') },
};

/** Checks path, key, project and scope, in this order. */
export function open(head: RequestHead, envoyTraceparent: string | undefined, services: Services): Opening {
  const id = services.newLogId();
  const path = head.path.split('?', 1)[0]!;
  try {
    const [, projectUid = '', rest = ''] = /^\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const call = CALLS[`${head.method} ${rest}`];
    if (call === undefined) {
      throw new SluiceError('not_found', `There is no ${head.method} ${path} here.`);
    }
    const key = keyText(head.headers);
    const accepted = authenticate(projectUid, key, services);
    if (call.name === 'models') {
      return { kind: 'reply', reply: listModels(accepted.project.endpoints.keys(), services, id) };
    }
    return {
      kind: 'exchange',
      exchange: new Exchange(
        id,
        call.dialect,
        accepted.project,
        accepted.key,
        forwardedHeaders(head.headers),
        head.headers['x-client-request-id'] ?? null,
        services.telemetry.startExchange({ traceparent: head.headers.traceparent, envoyTraceparent }),
        services.clock.now(),
        services.clock.monotonic(),
      ),
    };
  } catch (error) {
    return { kind: 'reply', reply: errorReply(dialectOfPath(path), error, id) };
  }
}

/** The dialect whose error shape a path calls for, where the call itself is not known. */
export function dialectOfPath(path: string): Dialect {
  const known = Object.entries(CALLS).find(([call]) => path.endsWith(call.slice(call.indexOf(' ') + 1)));
  if (known !== undefined) return known[1].dialect;
  return dialectById(path.includes('/anthropic/') ? 'anthropic.messages' : 'openai.chat');
}

function keyText(headers: Headers): string {
  const bearer = /^bearer\s+(\S+)\s*$/i.exec(headers.authorization ?? '')?.[1];
  const key = bearer ?? headers['x-api-key'];
  if (key === undefined || key === '') {
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
  // The same answer for an unknown project and a foreign key, so that nobody can try out which projects there are.
  if (project === undefined || key === undefined) {
    throw new SluiceError('invalid_api_key', 'The API key is not valid for this project.');
  }
  if (!key.scopes.includes('inference')) {
    throw new SluiceError('insufficient_scope', 'The API key lacks the scope "inference".');
  }
  return { project, key };
}

function listModels(names: Iterable<string>, services: Services, id: string): Reply {
  const created = Math.floor(services.clock.now() / 1000);
  const data = [...names].map((name) => ({ id: name, object: 'model', created, owned_by: 'sluice' }));
  return jsonReply(200, JSON.stringify({ object: 'list', data }), id);
}

const CREDENTIALS = new Set(['authorization', 'proxy-authorization', 'x-api-key', 'api-key', 'cookie']);

/** Whether a header from a client is a credential or belongs to Envoy or to us, and so must not go on. */
export function isInternalHeader(name: string): boolean {
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
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !name.startsWith(':') && !isInternalHeader(name)),
  );
}
