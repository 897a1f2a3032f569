import type { Static } from 'typebox';
import { Type } from '../../core/schema-type.js';
import type { FeedbackSignal } from '../../store/mongodb/collections.js';
import { jsonObject, nullable, oneOf, strictObject } from './common.js';
import { checkNumbers } from './metadata-limits.js';

export const SIGNAL_SOURCES = ['system', 'user'] as const;
export const SIGNAL_TYPES = ['explicit', 'implicit'] as const;
export const improvement = strictObject(
  { role: Type.String(), content: Type.String() },
  { description: 'A better answer, for fine-tuning.' },
);
const text = (description: string) => nullable(Type.String({ description }));

/** A feedback signal as clients give it. */
export const signalSchema = strictObject({
  score: Type.Number({ minimum: -1, maximum: 1, description: 'From -1 (worst) to 1 (best).' }),
  weight: Type.Number({ minimum: 0, maximum: 1, description: 'From 0 (least important) to 1.' }),
  improvement: Type.Optional(improvement),
  qualitative_feedback: Type.Optional(text('What was good or bad, in words.')),
  signal_name: Type.Optional(text('The name of the signal or of its sensor.')),
  signal_source: Type.Optional(oneOf(SIGNAL_SOURCES, { default: 'user' })),
  signal_type: Type.Optional(oneOf(SIGNAL_TYPES, { default: 'explicit' })),
  metadata: Type.Optional(nullable(jsonObject('More about the signal.'))),
});

/** Throws `invalid_request`. `path` is the position of the signal in the body. */
export function toSignal(body: Static<typeof signalSchema>, path?: string): FeedbackSignal {
  if (body.metadata) checkNumbers(path === undefined ? 'metadata' : `${path}.metadata`, body.metadata);
  return {
    score: body.score,
    weight: body.weight,
    improvement: body.improvement ?? null,
    qualitative_feedback: body.qualitative_feedback ?? null,
    signal_name: body.signal_name ?? null,
    signal_source: body.signal_source ?? 'user',
    signal_type: body.signal_type ?? 'explicit',
    metadata: body.metadata ?? null,
  };
}
