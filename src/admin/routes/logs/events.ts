import { SluiceError } from '../../../core/errors.js';
import { Type } from '../../../core/schema-type.js';
import { callerOf, checkScope } from '../../access/access.js';
import type { Callers } from '../../access/callers.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { asAnswer } from '../../http/as-answer.js';
import { EventStream } from '../../http/event-stream.js';
import { errorResponses, projectUid } from '../../schemas/common.js';

/** One event: a log's id, or `sync` or `away` without one. */
const eventSchema = Type.Object({ event: Type.String(), data: Type.String() });

/** The most listeners in one process: for one project, and for all projects. */
const MAX_LISTENERS_OF_PROJECT = 200;
const MAX_LISTENERS = 2_000;
const BEAT_MS = 15_000;

export function eventRoutes(
  server: AdminServer,
  { store, callers, beatMs = BEAT_MS }: AdminDependencies & { callers: Callers },
): void {
  /** The open streams, each with its project. */
  const streams = new Map<EventStream, string>();
  // An open stream would keep the server from closing.
  server.addHook('preClose', async () => {
    for (const stream of streams.keys()) stream.end();
  });

  server.get(
    '/:project_uid/logs/events',
    {
      // Its answer has no end.
      exposeHeadRoute: false,
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'The ids of logs as they land',
        description:
          'Server-sent events. Each message is the id of a new log. The event `sync` comes first, and where logs ' +
          'may have been left out: ask the list then. `away` says that MongoDB does not answer; `sync` comes when it ' +
          'does again. The stream ends with the key or the session that opened it.',
        tags: ['logs'],
        params: Type.Object({ project_uid: projectUid }),
        response: {
          200: {
            description: 'Ids, until one side closes.',
            content: { 'text/event-stream': { schema: eventSchema } },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const project = request.params.project_uid.toLowerCase();
      refuseTooMany([...streams.values()], project);
      const caller = callerOf(request);
      const stream = new EventStream();
      const stopping = new AbortController();
      const beat = setInterval(async () => {
        if (!(await mayListen(callers, caller, project))) stream.end();
        stream.beat();
      }, beatMs);
      streams.set(stream, project);
      stream.once('close', () => {
        clearInterval(beat);
        streams.delete(stream);
        stopping.abort();
      });
      store.newLogs.listen(
        project,
        { synced: () => stream.sync(), landed: (id) => stream.id(id), lost: () => stream.away() },
        stopping.signal,
      );
      reply.header('x-accel-buffering', 'no');
      return reply.type('text/event-stream').send(asAnswer(stream));
    },
  );
}

/** Throws where too many streams are open, so that one key cannot take the streams of others. */
function refuseTooMany(projects: readonly string[], project: string): void {
  const ofProject = projects.filter((other) => other === project).length;
  const full =
    ofProject >= MAX_LISTENERS_OF_PROJECT
      ? `for this project (limit ${MAX_LISTENERS_OF_PROJECT})`
      : projects.length >= MAX_LISTENERS
        ? `in this process (limit ${MAX_LISTENERS})`
        : undefined;
  if (full === undefined) return;
  throw new SluiceError(
    'rate_limited',
    `Too many event streams are open ${full}. Poll \`GET /logs\` instead, or retry later.`,
  );
}

/**
 * Whether the key or session may still read the project's logs. While MongoDB is unreachable, the last known answer counts.
 */
async function mayListen(
  callers: Callers,
  caller: ReturnType<typeof callerOf>,
  project: string,
): Promise<boolean> {
  try {
    const now = await callers.again(caller);
    if (now === undefined) return false;
    checkScope(now, project, 'logs');
    return true;
  } catch (error) {
    return error instanceof SluiceError && error.code === 'storage_unavailable';
  }
}
