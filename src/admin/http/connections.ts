import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface ConnectionLimits {
  /** The most connections from all addresses together. */
  all: number;
  perAddress: number;
}

/** Each connection takes a file descriptor and some kilobytes, and an engine in this process needs these too. */
const DEFAULT_LIMITS: ConnectionLimits = { all: 10_000, perAddress: 1_000 };
const LOOPBACK = /^(::ffff:)?127\.|^::1$/;

/**
 * Limits the open connections of a server. Further ones are closed at once. Connections from this machine are not
 * counted: it is trusted, and others must not be able to lock out its operators and health checks. Envoy limits the
 * connections that it opens for its clients.
 */
export function boundConnections(server: Pick<Server, 'on'>, limits = DEFAULT_LIMITS): void {
  const open = new Map<string, number>();
  let all = 0;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined || LOOPBACK.test(address)) return;
    const count = open.get(address) ?? 0;
    if (all >= limits.all || count >= limits.perAddress) {
      socket.destroy();
      return;
    }
    all++;
    open.set(address, count + 1);
    socket.once('close', () => {
      all--;
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
