import type { FrameRun, RunReader, SseParser } from '../../src/dialects/wire/sse.js';
import type { SseFrame } from '../../src/dialects/wire/sse-frame.js';

/** The frames that are complete with this chunk, one by one; `runs` may read several of them together. */
export function* framesIn<Run extends FrameRun>(
  parser: SseParser,
  chunk: Uint8Array,
  runs: RunReader<Run>,
): Generator<SseFrame | Run> {
  parser.feed(chunk);
  for (let frame = parser.next(runs); frame !== undefined; frame = parser.next(runs)) yield frame;
}
