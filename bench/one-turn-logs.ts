import type { LogRecord } from '../src/core/log-record.js';
import { tagsOf } from '../src/logs/tags.js';
import { logRecord } from '../test/support/log-record.js';

/** Words for texts that differ from each other as much as texts that people write. */
const VOCABULARY = Array.from({ length: 3_000 }, (_none, number) =>
  Math.floor(1e6 * Math.abs(Math.sin(number + 1))).toString(36),
);

export function words(count: number): string {
  return Array.from({ length: count }, () => VOCABULARY[Math.floor(Math.random() * 3_000)]).join(' ');
}

/** A log of one turn of about 4 KB with four tags, of which one is its own. */
export function oneTurnLog(number: number, more: Partial<LogRecord> = {}): LogRecord {
  const metadata = { user: `u${number % 50}`, session: `s${number}`, tier: 'pro', app: 'chat' };
  return logRecord({
    metadata,
    tags: tagsOf(metadata),
    request: { model: 'support', messages: [{ role: 'user', content: words(350) }] },
    response: { content: words(350) },
    caller: 'key:app',
    key_id: 'k1',
    preview: { input: words(20), output: words(20) },
    usage: { input_tokens: 500, output_tokens: number },
    ...more,
  });
}
