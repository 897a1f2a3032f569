import type { IncomingMessage } from 'node:http';
import { SluiceError } from '../../core/errors.js';
import { BodiesInFlight } from '../../core/pacing/bodies-in-flight.js';
import { Type } from '../../core/schema-type.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { errorResponses } from '../schemas/common.js';

/**
 * The most bytes of batches that are being read or written, for all engines together. One batch of the largest size
 * always fits.
 */
const IN_FLIGHT_BYTES = 64 * 1024 * 1024;
/** The size of a log without its bodies. */
const OTHER_MEMBERS_BYTES = 16 * 1024 * 1024;

export function engineLogRoutes(
  server: AdminServer,
  { engineLogs, limits }: Pick<AdminDependencies, 'engineLogs' | 'limits'>,
): void {
  /**
   * The largest possible batch. A log that is larger than a usual batch is sent alone: its request and its two
   * answers, escaped as JSON.
   */
  const largestBytes = () =>
    2 * (limits().request_body_bytes + 2 * limits().response_body_bytes) + OTHER_MEMBERS_BYTES;
  const bodies = new BodiesInFlight(() => Math.max(IN_FLIGHT_BYTES, largestBytes()));

  server.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // The route reads the body itself, because its limit follows the configuration.
    scope.addContentTypeParser('application/octet-stream', async (_request: unknown, body: unknown) => body);
    scope.post(
      '/api/logs',
      {
        config: { access: 'engine' },
        schema: {
          summary: 'A batch of logs of an engine',
          description:
            'For engines with `logs.to`, and their key alone. The body is a run of entries as in a segment of the ' +
            'spool (docs/spool.md). The answer comes once MongoDB has them with a majority. A repeat changes nothing. ' +
            'An empty batch asks whether others would land.',
          tags: ['operation'],
          response: {
            200: Type.Object({
              stored: Type.Integer({ description: 'Logs that MongoDB has now.' }),
              refused: Type.Array(Type.Object({ index: Type.Integer(), reason: Type.String() }), {
                description: 'Entries that will never land, by their place in the batch.',
              }),
            }),
            ...errorResponses,
          },
        },
      },
      async (request) => {
        const hold = bodies.open();
        try {
          const bytes = lengthOf(request.headers['content-length'], largestBytes());
          hold.add(bytes);
          return await engineLogs.take(await readBody(request.body as IncomingMessage | undefined, bytes));
        } finally {
          hold.release();
        }
      },
    );
  });
}

function lengthOf(header: string | undefined, limit: number): number {
  if (header === undefined) {
    throw new SluiceError('invalid_request', 'The body has no content-length.');
  }
  const bytes = Number(header);
  if (bytes > limit) {
    throw new SluiceError('request_too_large', `The batch has ${bytes} bytes; the limit is ${limit} bytes.`);
  }
  return bytes;
}

/** Node rejects a body whose length differs from its content-length. */
async function readBody(body: IncomingMessage | undefined, bytes: number): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(bytes);
  let at = 0;
  if (body === undefined || bytes === 0) return whole;
  for await (const chunk of body as AsyncIterable<Buffer>) at += chunk.copy(whole, at);
  return whole.subarray(0, at);
}
