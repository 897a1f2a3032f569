import type { Server } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

export interface ConnectionLimits {
  /** The most connections from all addresses together. */
  all: number;
  /** Of one IPv4 address, or of one IPv6 network of 64 bits. */
  perAddress: number;
}

/** Each connection takes a file descriptor and some kilobytes, and an engine in this process needs these too. */
const DEFAULT_LIMITS: ConnectionLimits = { all: 10_000, perAddress: 1_000 };
const IPV6_GROUPS = 8;
const NETWORK_GROUPS = 4;
const IPV4_MAPPED = /^::ffff:/;
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
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || LOOPBACK.test(remoteAddress)) return;
    const address = networkOf(remoteAddress);
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

/** One machine on IPv6 usually has all 2^64 addresses of its network, so these count as one: the first four groups. */
function networkOf(address: string): string {
  if (isIPv6(address) && !IPV4_MAPPED.test(address)) {
    const [before = '', behind] = address.split('::');
    const first = before === '' ? [] : before.split(':');
    const last = behind === undefined || behind === '' ? [] : behind.split(':');
    const zeros = behind === undefined ? 0 : IPV6_GROUPS - first.length - last.length;
    return [...first, ...Array<string>(zeros).fill('0'), ...last].slice(0, NETWORK_GROUPS).join(':');
  }
  return address;
}
