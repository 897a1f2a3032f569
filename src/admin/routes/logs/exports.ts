import type { Static } from 'typebox';
import { Type } from '../../../core/schema-type.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { invalidRequest } from '../../http/errors.js';
import { jsonLines, sendLines } from '../../http/jsonl.js';
import { errorResponses, oneOf, projectUid, strictObject } from '../../schemas/common.js';
import { filterProperties, metadataPattern, readFilter } from '../../schemas/log-filter.js';
import { type ExportRequest, exportLines, type LeftOut } from './export-lines.js';

const KINDS = ['sft', 'dpo', 'kto'] as const;

const querySchema = strictObject(
  {
    ...filterProperties,
    include_unrated: Type.Optional(
      Type.Boolean({ default: false, description: 'For sft: the other successful logs too.' }),
    ),
    format: Type.Optional(
      oneOf(['openai', 'trl'], { description: 'Default: openai for sft and dpo; kto has trl only.' }),
    ),
    provenance: Type.Optional(
      oneOf(['full', 'none'], { default: 'full', description: 'Where each line comes from.' }),
    ),
  },
  { patternProperties: metadataPattern },
);

const summarySchema = Type.Object({
  lines: Type.Integer({ description: 'Lines that the export has.' }),
  left_out: Type.Object(
    {
      mixed_forms: Type.Integer({
        description: 'The prompt has names, and the answer has placeholders for them.',
      }),
      invalid_improvement: Type.Integer({
        description: 'The better answer does not satisfy the JSON Schema of its request.',
      }),
    },
    { description: 'Lines that would be there otherwise, by the reason.' },
  ),
});

export function exportRoutes(server: AdminServer, dependencies: AdminDependencies): void {
  serveExports(server, dependencies);
  serveSummaries(server, dependencies);
}

function serveExports(server: AdminServer, dependencies: AdminDependencies): void {
  for (const kind of KINDS) {
    server.get(
      `/:project_uid/exports/${kind}.jsonl`,
      {
        // A HEAD request would generate the whole export.
        exposeHeadRoute: false,
        config: { access: { scope: 'logs' } },
        schema: {
          summary: `Training data for ${kind.toUpperCase()} from filtered logs, oldest first`,
          tags: ['exports'],
          params: Type.Object({ project_uid: projectUid }),
          querystring: querySchema,
          response: { 200: jsonLines, ...errorResponses },
        },
      },
      async (request, reply) =>
        sendLines(reply, linesOf(dependencies, kind, request.params, request.query).lines),
    );
  }
}

function serveSummaries(server: AdminServer, dependencies: AdminDependencies): void {
  for (const kind of KINDS) {
    server.get(
      `/:project_uid/exports/${kind}/summary`,
      {
        config: { access: { scope: 'logs' } },
        schema: {
          summary: `How many lines the ${kind.toUpperCase()} export has, and what it leaves out`,
          description: 'Goes through the same logs as the export itself, and takes as long.',
          tags: ['exports'],
          params: Type.Object({ project_uid: projectUid }),
          querystring: querySchema,
          response: { 200: summarySchema, ...errorResponses },
        },
      },
      async (request) => {
        const { lines, leftOut } = linesOf(dependencies, kind, request.params, request.query);
        let count = 0;
        for await (const _line of lines) count++;
        return { lines: count, left_out: leftOut };
      },
    );
  }
}

function linesOf(
  { store, checkImprovement }: AdminDependencies,
  kind: ExportRequest['kind'],
  { project_uid }: { project_uid: string },
  { format, include_unrated = false, provenance = 'full', ...filter }: Static<typeof querySchema>,
): { lines: AsyncGenerator<string>; leftOut: LeftOut } {
  const wanted: ExportRequest = {
    kind,
    format: format ?? (kind === 'kto' ? 'trl' : 'openai'),
    includeUnrated: include_unrated,
    provenance: provenance === 'full',
  };
  checkRequest(wanted);
  const leftOut: LeftOut = { mixed_forms: 0, invalid_improvement: 0 };
  const source = { walk: store.walk, checkImprovement, leftOut };
  return { lines: exportLines(source, project_uid.toLowerCase(), readFilter(filter), wanted), leftOut };
}

function checkRequest({ kind, format, includeUnrated }: ExportRequest): void {
  if (kind === 'kto' && format === 'openai') {
    throw invalidRequest([{ path: 'format', message: 'OpenAI has no format for kto; use trl' }]);
  }
  if (kind !== 'sft' && includeUnrated) {
    throw invalidRequest([{ path: 'include_unrated', message: 'is for sft only' }]);
  }
}
