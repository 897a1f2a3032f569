import type { FeedbackSignal } from '../../src/store/mongodb/collections.js';

/** A feedback signal with a good score and nothing else. */
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

const GOOD = { score: 0.5, weight: 1 };

/** Signals that the API refuses: the name of the wrong field, and the body. */
export const WRONG_SIGNALS: readonly (readonly [path: string, body: object])[] = [
  ['score', { weight: 1 }],
  ['weight', { score: 1 }],
  ['score', { ...GOOD, score: 1.01 }],
  ['score', { ...GOOD, score: -1.01 }],
  ['score', { ...GOOD, score: '1' }],
  ['score', { ...GOOD, score: null }],
  ['weight', { ...GOOD, weight: 1.01 }],
  ['weight', { ...GOOD, weight: -0.01 }],
  ['weight', { ...GOOD, weight: '1' }],
  ['weight', { ...GOOD, weight: true }],
  ['weight', { ...GOOD, weight: null }],
  ['improvement', { ...GOOD, improvement: 'Better.' }],
  ['improvement', { ...GOOD, improvement: null }],
  ['improvement.content', { ...GOOD, improvement: { role: 'assistant' } }],
  ['improvement.role', { ...GOOD, improvement: { content: 'Better.' } }],
  ['improvement.content', { ...GOOD, improvement: { role: 'assistant', content: 1 } }],
  ['improvement.content', { ...GOOD, improvement: { role: 'assistant', content: null } }],
  ['improvement.name', { ...GOOD, improvement: { role: 'assistant', content: '', name: '' } }],
  ['qualitative_feedback', { ...GOOD, qualitative_feedback: 1 }],
  ['signal_name', { ...GOOD, signal_name: [] }],
  ['signal_name', { ...GOOD, signal_name: {} }],
  ['signal_source', { ...GOOD, signal_source: 'model' }],
  ['signal_source', { ...GOOD, signal_source: null }],
  ['signal_type', { ...GOOD, signal_type: 'EXPLICIT' }],
  ['signal_type', { ...GOOD, signal_type: 1 }],
  ['metadata', { ...GOOD, metadata: [] }],
  ['metadata', { ...GOOD, metadata: 'x' }],
  ['comment', { ...GOOD, comment: 'x' }],
];
