import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { SluiceError } from '../../core/errors.js';
import { Type } from '../../core/schema-type.js';
import { GATEWAY_CALLS } from '../../dialects/calls.js';
import { callerOf } from '../access/access.js';
import { requireProject } from '../access/project-access.js';
import type { AdminServer } from '../admin-server.js';
import { PlaygroundKeys } from '../dashboard/playground-keys.js';
import type { AdminDependencies } from '../dependencies.js';
import { asAnswer } from '../http/as-answer.js';
import { errorResponses, jsonObject, oneOf, projectUid, strictObject } from '../schemas/common.js';

/** The paths of conversation calls. These calls name everything in their body, also the endpoint. */
const PATHS = new Map(
  GATEWAY_CALLS.filter(
    ({ kind, path, dialect }) => kind === 'answer' && !dialect.untranslated && !path.includes('{model}'),
  ).map(({ dialect, path }) => [dialect.id, path]),
);

const PASSED_HEADERS = [
  'content-type',
  'x-inference-log-id',
  'x-sluice-model',
  'x-sluice-attempts',
  'x-sluice-valid',
];

/** How long to wait until an engine in another process has learned of a new key. */
const NEW_KEY_PATIENCE_MS = 3_000;
const LOOK_AGAIN_MS = 100;

export function playgroundRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { gatewayUrl, clock } = dependencies;
  const keys = new PlaygroundKeys(dependencies);
  server.addHook('onClose', () => keys.close());

  server.post(
    '/:project_uid/playground',
    {
      config: { access: { scope: 'inference' } },
      schema: {
        summary: 'Send a request through the gateway, for pages that may call this server only',
        description:
          'The answer is that of the gateway, a stream as it comes, with its `x-inference-log-id`. The request goes ' +
          'with a key of its own, which the list of keys shows while the playground is used.',
        tags: ['session'],
        params: Type.Object({ project_uid: projectUid }),
        body: strictObject({
          api: oneOf([...PATHS.keys()]),
          request: jsonObject('The body in the form of that API.'),
        }),
        response: {
          200: { description: 'As the gateway answered.', content: { 'application/json': { schema: {} } } },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const leaving = new AbortController();
      reply.raw.once('close', () => leaving.abort());
      const uid = await requireProject(dependencies, request.params.project_uid);
      const { api, request: body } = request.body;
      const url = `${gatewayUrl()}/${uid}/${PATHS.get(api)}`;
      const answer = await sendWithKey(url, body, uid, callerOf(request).name, leaving.signal);
      reply.code(answer.status);
      for (const name of PASSED_HEADERS) {
        const value = answer.headers.get(name);
        if (value !== null) reply.header(name, value);
      }
      const stream =
        answer.body === null ? Readable.from([]) : Readable.fromWeb(answer.body as ReadableStream);
      return reply.send(asAnswer(stream));
    },
  );

  async function sendWithKey(
    url: string,
    body: object,
    uid: string,
    actor: string,
    signal: AbortSignal,
  ): Promise<Response> {
    const start = clock.monotonic();
    for (;;) {
      const key = await keys.keyFor(uid, actor);
      const answer = await send(url, key, body, signal);
      if (answer.status !== 401) return answer;
      if (clock.monotonic() - start > NEW_KEY_PATIENCE_MS) {
        keys.forget(uid);
        return answer;
      }
      await answer.body?.cancel();
      await delay(LOOK_AGAIN_MS);
    }
  }
}

async function send(url: string, key: string, body: object, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal,
    });
  } catch (error) {
    throw new SluiceError('upstream_unavailable', `The gateway does not answer at ${new URL(url).origin}.`, {
      cause: error,
    });
  }
}
