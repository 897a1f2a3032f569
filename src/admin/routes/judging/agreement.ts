import { Type } from '../../../core/schema-type.js';
import { agreementOf } from '../../../logs/judging/agreement.js';
import type { JudgedValue } from '../../../logs/judging/dimension.js';
import type { AdminServer } from '../../admin-server.js';
import type { AdminDependencies } from '../../dependencies.js';
import { errorResponses, list, nullable, oneOf, projectUid, strictObject } from '../../schemas/common.js';
import { filterProperties, readFilter } from '../../schemas/log-filter.js';
import { allDimensions } from './definitions.js';

/** The most judgements that are compared: the newest ones. */
const MOST = 20_000;

const rowSchema = Type.Object({
  dimension: Type.String({ description: 'A dimension, or `pairwise_comparison`.' }),
  metric: oneOf(['nominal', 'interval'], {
    description: '`interval` for scales: values far apart disagree more.',
  }),
  alpha: nullable(
    Type.Number({
      description:
        "Krippendorff's alpha: 1 is full agreement, 0 what chance gives; null where it cannot be told.",
    }),
  ),
  units: Type.Integer({ description: 'What at least two people judged.' }),
  values: Type.Integer({ description: 'The values on these.' }),
  people: Type.Integer({ description: 'Who judged any.' }),
  judgements: Type.Integer({ description: 'All values, also where one person judged.' }),
});

const answerSchema = Type.Object({
  ...list(rowSchema).properties,
  searched: Type.Optional(
    Type.Integer({ description: 'So many of the newest judgements were compared, and there are more.' }),
  ),
});

export function agreementRoutes(server: AdminServer, { store }: AdminDependencies): void {
  server.get(
    '/:project_uid/agreement',
    {
      config: { access: { scope: 'logs' } },
      schema: {
        summary: 'How far the people who judge agree',
        tags: ['judging'],
        params: Type.Object({ project_uid: projectUid }),
        querystring: strictObject({
          queue: Type.Optional(Type.String({ maxLength: 63, description: 'Of one queue alone.' })),
          from: filterProperties.from,
          to: filterProperties.to,
        }),
        response: { 200: answerSchema, ...errorResponses },
      },
    },
    async (request) => {
      const { queue, from: begin, to: end } = request.query;
      const { from, to } = readFilter({ from: begin, to: end });
      const uid = request.params.project_uid.toLowerCase();
      const which = { ...(queue === undefined ? {} : { queue }), ...(from && { from }), ...(to && { to }) };
      const found = await store.judgements.list(uid, which, MOST + 1);
      const dimensions = await allDimensions(store, uid);
      const data = [...byDimension(found.slice(0, MOST))].map(([dimension, { units, people }]) => {
        const metric = dimensions.get(dimension)?.scale === undefined ? 'nominal' : 'interval';
        const judged = [...units.values()];
        return {
          dimension,
          metric: metric as 'nominal' | 'interval',
          ...rounded(agreementOf(judged, metric)),
          people: people.size,
          judgements: judged.reduce((sum, values) => sum + values.length, 0),
        };
      });
      const answer = { data, next_cursor: null };
      return found.length > MOST ? { ...answer, searched: MOST } : answer;
    },
  );
}

interface Judged {
  units: Map<string, JudgedValue[]>;
  people: Set<string>;
}

function byDimension(
  judgements: readonly { subject: string; annotator: string; values: Record<string, JudgedValue> }[],
): Map<string, Judged> {
  const found = new Map<string, Judged>();
  for (const { subject, annotator, values } of judgements) {
    for (const [dimension, value] of Object.entries(values)) {
      const judged = found.get(dimension) ?? { units: new Map(), people: new Set() };
      found.set(dimension, judged);
      judged.people.add(annotator);
      const unit = judged.units.get(subject);
      if (unit === undefined) judged.units.set(subject, [value]);
      else unit.push(value);
    }
  }
  return found;
}

function rounded<Agreement extends { alpha: number | null }>(agreement: Agreement): Agreement {
  const { alpha } = agreement;
  return { ...agreement, alpha: alpha === null ? null : Number(alpha.toFixed(4)) };
}
