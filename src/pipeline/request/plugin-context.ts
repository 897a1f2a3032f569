import type { HostContext } from '../../plugins/host/host.js';
import type { Exchange } from '../exchange.js';

/** What is shown to plugins takes some objects for each text; so many hold the event loop for a tenth of a second. */
export const MOST_SHOWN_TEXTS = 200_000;

/** What the plugins of an exchange may know of it. */
export function hostContext(exchange: Exchange): HostContext {
  return {
    requestId: exchange.id,
    endpoint: exchange.endpoint?.name ?? '',
    metadata: exchange.metadata,
    headers: exchange.headers,
    signal: exchange.signal,
    standIns: exchange.standIns,
  };
}
