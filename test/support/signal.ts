import type { FeedbackSignal } from '../../src/store/mongodb/collections.js';

/** A signal that says good, and nothing else. */
export function signalOf(changes: Partial<FeedbackSignal> = {}): FeedbackSignal {
  return {
    score: 1,
    weight: 1,
    improvement: null,
    qualitative_feedback: null,
    signal_name: null,
    signal_source: 'user',
    signal_type: 'explicit',
    metadata: null,
    ...changes,
  };
}
