import { ROOT_CONTEXT } from '@opentelemetry/api';
import { SamplingDecision, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInShare, isSampled } from './sampling.js';

const traceId = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => Buffer.from(bytes).toString('hex'))
  .filter((id) => /[1-9a-f]/.test(id));

describe('a share of all traces', () => {
  it("contains the same traces as the SDK's sampler", () => {
    const share = fc.oneof(fc.constantFrom(0, 0.1, 0.5, 1), fc.double({ min: 0, max: 1, noNaN: true }));
    fc.assert(
      fc.property(traceId, share, (id, ratio) => {
        const { decision } = new TraceIdRatioBasedSampler(ratio).shouldSample(ROOT_CONTEXT, id);
        expect(isInShare(id, ratio)).toBe(decision === SamplingDecision.RECORD_AND_SAMPLED);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('whether an exchange is sampled', () => {
  it.each([
    ['parent', 'client', true],
    ['parent', 'envoy', true],
    ['parent', 'nobody', false],
    ['envoy', 'client', false],
    ['envoy', 'envoy', true],
    ['envoy', 'nobody', false],
    ['nobody', 'client', false],
    ['nobody', 'envoy', false],
  ] as const)('follows %s for a request from %s: decided before is %s', (follows, from, decided) => {
    for (const sampled of [true, false]) {
      const place = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), sampled };
      expect(isSampled({ follows, share: sampled ? 0 : 1 }, place, from)).toBe(decided === sampled);
    }
  });
});
