import { describe, expect, it } from 'vitest';
import type { ChannelKind, StreamEvent } from '../../core/answer.js';
import { createSequencer } from './sequencer.js';

const channel = (kind: ChannelKind, part: number) => ({ kind, choice: 0, part });
const call = (part: number): StreamEvent => ({
  type: 'tool-call-start',
  channel: channel('tool-arguments', part),
  callId: `c${part}`,
  name: 'f',
});
const delta = (kind: ChannelKind, part: number, text: string): StreamEvent => ({
  type: 'delta',
  channel: channel(kind, part),
  text,
});

/** The parts as one line each, `flush` at the end. */
function sequence(...events: StreamEvent[]): string[] {
  const sequencer = createSequencer();
  const parts = [...events.flatMap((event) => sequencer.take(event)), ...sequencer.flush()];
  return parts.map((part) => {
    switch (part.type) {
      case 'open':
        return `open ${part.kind} ${part.callId}`.trim();
      case 'text':
        return `text ${part.text}`;
      default:
        return part.type;
    }
  });
}

describe('the sequencer', () => {
  it('ends a part where the next one begins', () => {
    expect(sequence(delta('reasoning', 0, 'a'), delta('text', 0, 'b'), delta('text', 0, 'c'))).toEqual([
      'open reasoning',
      'text a',
      'close',
      'open text',
      'text b',
      'text c',
      'close',
    ]);
  });

  it('begins a new text where one continues after a tool call', () => {
    const events = [delta('text', 0, 'a'), call(0), delta('tool-arguments', 0, '{}'), delta('text', 0, 'b')];
    expect(sequence(...events)).toEqual([
      'open text',
      'text a',
      'close',
      'open tool-arguments c0',
      'text {}',
      'close',
      'open text',
      'text b',
      'close',
    ]);
  });

  it('holds back a call until the one before is complete', () => {
    const events = [
      call(0),
      delta('tool-arguments', 0, '{"a"'),
      call(1),
      delta('tool-arguments', 1, '{"b":'),
      delta('tool-arguments', 0, ':"}"}'),
      delta('tool-arguments', 1, '2}'),
    ];
    expect(sequence(...events)).toEqual([
      'open tool-arguments c0',
      'text {"a"',
      'text :"}"}',
      'close',
      'open tool-arguments c1',
      'text {"b":',
      'text 2}',
      'close',
    ]);
  });

  it('releases incomplete parts when the stream ends', () => {
    expect(sequence(call(0), delta('tool-arguments', 0, '{'), call(1), call(2))).toEqual([
      'open tool-arguments c0',
      'text {',
      'close',
      'open tool-arguments c1',
      'text {}',
      'close',
      'open tool-arguments c2',
      'text {}',
      'close',
    ]);
  });

  it('drops blanks after a complete call', () => {
    const events = [call(0), delta('tool-arguments', 0, '{}'), call(1), delta('tool-arguments', 0, ' ')];
    expect(sequence(...events)).toEqual([
      'open tool-arguments c0',
      'text {}',
      'close',
      'open tool-arguments c1',
      'text {}',
      'close',
    ]);
  });

  it('follows one choice only', () => {
    expect(sequence({ type: 'delta', channel: { kind: 'text', choice: 1, part: 0 }, text: 'x' })).toEqual([]);
  });

  it('holds back any number of calls behind one that never ends', () => {
    const others = Array.from({ length: 100_000 }, (_, at) => call(at + 1));
    const lines = sequence(call(0), delta('tool-arguments', 0, '{"a'), ...others);
    expect(lines).toHaveLength(3 + 3 * others.length);
    expect(lines.slice(-3)).toEqual(['open tool-arguments c100000', 'text {}', 'close']);
  });
});
