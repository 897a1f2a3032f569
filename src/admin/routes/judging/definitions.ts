import { SluiceError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import { Type } from '../../../core/schema-type.js';
import { type NamedQueue, OVERALL } from '../../../logs/judging/dimension.js';
import type { Store } from '../../../store/store.js';
import { callerOf } from '../../access/access.js';
import type { Caller } from '../../access/callers.js';
import { requireProject } from '../../access/project-access.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { requireVersion, tagVersion } from '../../http/etags.js';
import { errorResponses, projectUid } from '../../schemas/common.js';
import { type Judging, judgingSchema, readJudging } from '../../schemas/judging.js';

const NONE: Judging = { dimensions: [], queues: [] };
const params = Type.Object({ project_uid: projectUid });
const tags = ['judging'];

export function judgingRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  const { store } = dependencies;

  server.get(
    '/:project_uid/judging',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'The dimensions and the queues of a project',
        tags,
        params,
        response: { 200: judgingSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const { judging, revision } = await readStored(store, request.params.project_uid.toLowerCase());
      return asAnswer(tagVersion(reply, judging, revision));
    },
  );

  server.put(
    '/:project_uid/judging',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Say what people judge, and who',
        description:
          'Replaces all dimensions and queues. What was judged stays, under the names that it was given with. Needs `If-Match` with ' +
          'the `ETag` of the GET.',
        tags,
        params,
        body: judgingSchema,
        response: { 200: judgingSchema, ...errorResponses },
      },
    },
    async (request, reply) => {
      const uid = await requireProject(dependencies, request.params.project_uid);
      const expected = requireVersion(request);
      const judging = readJudging(request.body);
      const { judging: entries } = store.administration;
      const change = {
        actor: callerOf(request).name,
        describe: ({ settings }: { settings: string }) => JSON.parse(settings) as JsonObject,
      };
      const content = { settings: JSON.stringify(judging) };
      const before = await entries.find({ _id: uid });
      if (before === undefined && expected !== 0 && expected !== 'any') throw changedMeanwhile();
      const document =
        before === undefined
          ? await entries.create(change, content, uid).catch((error: unknown) => {
              throw error instanceof SluiceError && error.code === 'already_exists'
                ? changedMeanwhile()
                : error;
            })
          : await entries.update(change, { _id: uid }, expected, content);
      return asAnswer(tagVersion(reply, judging, document.revision));
    },
  );
}

function changedMeanwhile(): SluiceError {
  return new SluiceError('precondition_failed', 'It was changed in the meantime. Read it again.', {
    param: 'If-Match',
  });
}

async function readStored(store: Store, uid: string): Promise<{ judging: Judging; revision: number }> {
  const document = await store.administration.judging.find({ _id: uid });
  if (document === undefined) return { judging: NONE, revision: 0 };
  return { judging: JSON.parse(document.settings) as Judging, revision: document.revision };
}

/** A queue with the dimensions that it asks about. */
export interface OpenQueue {
  queue: NamedQueue;
  dimensions: Judging['dimensions'];
}

/**
 * A queue in which the caller may judge. Throws `not_found` where it does not exist, and `not_assigned` where the
 * caller does not judge in it.
 */
export async function openQueue(
  store: Store,
  projectUid: string,
  name: string,
  caller: Pick<Caller, 'name' | 'isAdmin'>,
): Promise<OpenQueue> {
  const { judging } = await readStored(store, projectUid);
  const queue = judging.queues.find((one) => one.name === name);
  if (queue === undefined) throw new SluiceError('not_found', `There is no queue ${name} in this project.`);
  if (!caller.isAdmin && queue.people.length > 0 && !queue.people.includes(caller.name)) {
    throw new SluiceError('not_assigned', `The queue ${name} does not name the key "${caller.name}".`);
  }
  return { queue, dimensions: dimensionsOf(judging, queue) };
}

/** The dimensions that a queue asks about, in its order. */
function dimensionsOf({ dimensions }: Judging, queue: NamedQueue): Judging['dimensions'] {
  if (queue.dimensions.length === 0) return [OVERALL];
  return queue.dimensions.flatMap((name) => dimensions.find((one) => one.name === name) ?? []);
}

/** All dimensions of a project by name, including the one that every project has. */
export async function allDimensions(
  store: Store,
  projectUid: string,
): Promise<Map<string, Judging['dimensions'][number]>> {
  const { judging } = await readStored(store, projectUid);
  return new Map([OVERALL, ...judging.dimensions].map((one) => [one.name, one]));
}
