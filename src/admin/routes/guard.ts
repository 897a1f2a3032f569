import { SluiceError } from '../../core/errors.js';
import { Type } from '../../core/schema-type.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { errorResponses, jsonObject, oneOf, projectUid, strictObject } from '../schemas/common.js';
import { pluginRun } from '../schemas/logs.js';

const question = strictObject(
  {
    endpoint: Type.String({ minLength: 1, maxLength: 256 }),
    messages: Type.Optional(
      Type.Array(jsonObject('A message.'), { minItems: 1, description: 'In the shape of Chat Completions.' }),
    ),
    text: Type.Optional(Type.String({ description: 'One text, instead of messages.' })),
    phase: Type.Optional(
      oneOf(['request', 'response'], {
        default: 'request',
        description: '`response`: the last message, or the text, is what a model answered.',
      }),
    ),
  },
  { oneOf: ['messages', 'text'].map((name) => ({ required: [name], properties: { [name]: {} } })) },
);

const decision = Type.Object({
  decision: oneOf(['pass', 'reject', 'modify']),
  plugin_runs: Type.Array(pluginRun),
  messages: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'As they would go on, where a plugin changed them.' }),
  ),
  error: Type.Optional(
    Type.Object(
      { code: Type.String(), message: Type.String(), status: Type.Integer() },
      { description: 'What the client would read.' },
    ),
  ),
});

export function guardRoutes(server: AdminServer, { directory, checkGuards }: AdminDependencies): void {
  server.post(
    '/:project_uid/guard/check',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'What the guards of an endpoint would do; no model is asked, no log is made',
        tags: ['guards'],
        params: Type.Object({ project_uid: projectUid }),
        body: question,
        response: { 200: decision, ...errorResponses },
      },
    },
    async (request) => {
      const { endpoint: name } = request.body;
      const endpoint = directory.project(request.params.project_uid.toLowerCase())?.endpoints.get(name);
      if (endpoint === undefined) {
        throw new SluiceError('model_not_found', `The project has no endpoint "${name}".`, {
          param: 'endpoint',
        });
      }
      return checkGuards(endpoint, request.body);
    },
  );
}
