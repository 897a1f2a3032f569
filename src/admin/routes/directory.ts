import { SluiceError } from '../../core/errors.js';
import { readKeyText } from '../../core/key-text.js';
import { Type } from '../../core/schema-type.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { asAnswer } from '../http/as-answer.js';
import { LineStream } from '../http/line-stream.js';
import { errorResponses } from '../schemas/common.js';

/** The most open feeds in one process. */
const MAX_ENGINES = 5_000;
/** Engines treat 25 seconds of silence as the end of the connection. */
const BEAT_MS = 10_000;
const BEAT = Buffer.from('\n');
const MAX_BEHIND_BYTES = 1024 * 1024;

export function directoryRoutes(
  server: AdminServer,
  { engineFeed, beatMs = BEAT_MS }: Pick<AdminDependencies, 'engineFeed' | 'beatMs'>,
): void {
  const streams = new Set<LineStream>();
  // An open stream would keep the server from closing.
  server.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });

  server.get(
    '/api/directory',
    {
      // The answer is a stream without an end.
      exposeHeadRoute: false,
      config: { access: 'engine' },
      schema: {
        summary: 'Projects, keys and endpoints for engines, and each change of them',
        description:
          'For engines with `directory.from`, and their key alone. Lines of JSON without an end. The first one leads ' +
          'from the version in `If-None-Match`, or from nothing, to what is there; each later one tells a change. An ' +
          'empty line only says that the service lives. Keys are told as hashes.',
        tags: ['operation'],
        headers: Type.Object({ 'if-none-match': Type.Optional(Type.String({ maxLength: 200 })) }),
        response: {
          200: {
            description: 'Lines, until one side closes.',
            content: { 'application/x-ndjson': { schema: Type.String() } },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      if (streams.size >= MAX_ENGINES) {
        throw new SluiceError(
          'rate_limited',
          `More than ${MAX_ENGINES} engines already follow this service.`,
        );
      }
      const stream = new LineStream(MAX_BEHIND_BYTES);
      const known = /^(?:W\/)?"(.*)"$/.exec(request.headers['if-none-match'] ?? '')?.[1];
      const leave = engineFeed.follow(known, (line) => stream.send(line));
      if (leave === undefined) {
        throw new SluiceError('storage_unavailable', 'The directory has not been read from MongoDB yet.');
      }
      const keyText = readKeyText(request.headers) ?? '';
      const beat = setInterval(() => {
        // The key may have been changed since the feed was opened.
        if (engineFeed.isKey(keyText)) stream.send(BEAT);
        else stream.end();
      }, beatMs);
      streams.add(stream);
      stream.once('close', () => {
        clearInterval(beat);
        streams.delete(stream);
        leave();
      });
      reply.header('x-accel-buffering', 'no');
      return reply.type('application/x-ndjson').send(asAnswer(stream));
    },
  );
}
