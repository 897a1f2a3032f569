import type { SluiceError } from '../../core/errors.js';
import type { JsonValue } from '../../core/json.js';
import type { EndingAnswer } from '../exchange/ending.js';
import type { Exchange } from '../exchange/exchange.js';
import type { Services } from '../exchange/ports.js';
import type { LiveStream } from './stream/live-stream.js';

/** The answer that a stream has sent so far. Where it cannot be read completely, the log gets a part of it. */
export async function emittedText(
  live: LiveStream | undefined,
  exchange: Exchange,
  services: Services,
): Promise<EndingAnswer> {
  try {
    return (await live?.answers()) ?? { response: null };
  } catch (err) {
    services.logger.error({ err, log_id: exchange.id }, 'a log was written without the text of its stream');
    return { response: null };
  }
}

/** The answer of a stream that a guard has rejected with this error. */
export async function rejectedStream(
  live: LiveStream | undefined,
  error: SluiceError,
): Promise<{ masked: JsonValue; asCame: JsonValue } | undefined> {
  if (live === undefined || error !== live.rejection) return undefined;
  const { response, responseAsCame } = await live.answers();
  return { masked: response, asCame: responseAsCame ?? response };
}
