import { type Context, createContextKey, TraceFlags, trace } from '@opentelemetry/api';
import type { tracing } from '@opentelemetry/sdk-node';

const DECIDED = createContextKey('sluice sampling decided');

/** For spans below one of Envoy's, or of this engine: whether they are sampled is known. */
export function decided(parent: Context): Context {
  return parent.setValue(DECIDED, true);
}

/**
 * A sampler of a share of all traces, where Envoy did not decide before: it takes the same share by other arithmetic, and
 * one trace would have spans of the one or of the other.
 */
export class FollowEnvoy implements tracing.Sampler {
  constructor(
    private readonly share: tracing.Sampler,
    /** Of the SDK: to record, and not to. */
    private readonly decisions: { yes: tracing.SamplingDecision; no: tracing.SamplingDecision },
  ) {}

  shouldSample(...asked: Parameters<tracing.Sampler['shouldSample']>): tracing.SamplingResult {
    const [context] = asked;
    const parent = trace.getSpanContext(context);
    const isKnown = parent !== undefined && (!parent.isRemote || context.getValue(DECIDED) === true);
    if (!isKnown) return this.share.shouldSample(...asked);
    const { yes, no } = this.decisions;
    return { decision: (parent.traceFlags & TraceFlags.SAMPLED) === 0 ? no : yes };
  }

  toString(): string {
    return `FollowEnvoy{${this.share}}`;
  }
}
