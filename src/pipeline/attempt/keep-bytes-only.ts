import { BytesDocument } from '../../core/written-json/bytes-document.js';
import { inputLine } from '../../dialects/log-preview.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';

/**
 * Drops the text of the client's request once an attempt is written, and also its value where nobody is expected to read it
 * before its log is made. While a model answers, such a request is only its bytes. A second attempt reads it anew.
 */
export function keepBytesOnly(exchange: Exchange, attempt: Attempt): void {
  const document = exchange.received?.document;
  if (!(document instanceof BytesDocument)) return;
  if (isReadLater(exchange, attempt)) {
    document.dropText();
    return;
  }
  exchange.inputLine ??= inputLine(exchange.dialect.id, document.value);
  document.dropValue();
}

/** Whether plugins, a translation of the answer or a trace need the request. */
function isReadLater({ target, dialect, trace }: Exchange, attempt: Attempt): boolean {
  const { plugins = [], observers = [] } = target ?? {};
  return (
    plugins.length > 0 || observers.length > 0 || attempt.dialect !== dialect || trace.showsRequest === true
  );
}
