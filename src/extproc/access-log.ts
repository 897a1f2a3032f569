import { EXCHANGE_NAMESPACE, JOIN_KEY } from '../envoy/names.js';
import type { Call, CallListener } from '../grpc/call.js';
import type { UnansweredReason } from '../pipeline/attempt/failures.js';
import type { Exchanges } from './exchanges.js';
import type { AccessLogEntry } from './protocol.js';
import { readAccessLog } from './wire/read-access-log.js';

/** StreamAccessLogsResponse has no fields. */
const ANSWER = Buffer.alloc(0);

/**
 * Receives Envoy's access log. It reports attempts that got no answer, and requests that a provider or client ended
 * early. Each of Envoy's threads has one stream.
 */
export class AccessLog {
  readonly #open = new Set<() => void>();

  constructor(private readonly exchanges: Exchanges) {}

  serve(call: Call): CallListener {
    const end = () => {
      if (!this.#open.delete(end)) return;
      call.write(ANSWER);
      call.end();
    };
    this.#open.add(end);
    return {
      onMessage: (message) => {
        for (const entry of readAccessLog(message)) this.#take(entry);
      },
      onEnd: end,
    };
  }

  /** Envoy keeps these streams open as long as it runs, so a drain must not wait for them. */
  close(): void {
    for (const end of [...this.#open]) end();
  }

  #take(entry: AccessLogEntry): void {
    const { attemptNumber, requestId = '', clientLeft, filterMetadata } = entry;
    if (attemptNumber !== undefined) {
      this.exchanges.noteUnanswered(requestId, attemptNumber, reasonOf(entry));
      return;
    }
    const key = filterMetadata?.[EXCHANGE_NAMESPACE]?.fields?.[JOIN_KEY]?.stringValue;
    if (key !== undefined) this.exchanges.noteEnd(key, clientLeft ? 'client' : 'model');
  }
}

function reasonOf({ connectionFailed, timedOut }: AccessLogEntry): UnansweredReason {
  if (timedOut) return 'timeout';
  return connectionFailed ? 'connect' : 'server_error';
}
