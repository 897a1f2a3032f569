import { connect, createServer, type Server } from 'node:net';
import { StartError } from './processes/start-error.js';

const LOOPBACK = '127.0.0.1';

/*
 * Finds free ports for programs that must know their port before they open it. The ports are below the range that the
 * kernel uses for outgoing connections. Each has a partner port: a process reserves the port by listening on the
 * partner, so the reservation excludes other processes and ends with its holder.
 */
const FIRST_PORT = 20_000;
const PORT_COUNT = 6_000;

export interface PortReservation {
  port: number;
  release(): Promise<void>;
}

/** The reason why a port cannot be opened; undefined where it can. */
export async function portProblem(port: number, host = LOOPBACK): Promise<string | undefined> {
  const probe = await listen(port, host);
  if (typeof probe !== 'string') {
    await close(probe);
    return undefined;
  }
  if (probe === 'EADDRINUSE') return 'it is in use by another program';
  return probe === 'EACCES' ? 'this user may not open it' : probe;
}

export function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: LOOPBACK });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Reserves a port of the loopback address; `preferred` where it is free. */
export async function reservePort(preferred?: number): Promise<PortReservation> {
  if (preferred !== undefined) {
    const reservation = await tryReserve(preferred);
    if (reservation !== undefined) return reservation;
  }
  const start = Math.floor(Math.random() * PORT_COUNT);
  for (let step = 0; step < PORT_COUNT; step++) {
    const reservation = await tryReserve(FIRST_PORT + ((start + step) % PORT_COUNT));
    if (reservation !== undefined) return reservation;
  }
  throw new StartError(`No free port between ${FIRST_PORT} and ${FIRST_PORT + PORT_COUNT} on ${LOOPBACK}.`);
}

async function tryReserve(port: number): Promise<PortReservation | undefined> {
  const partner = await listen(port + PORT_COUNT, LOOPBACK);
  if (typeof partner === 'string') return undefined;
  partner.unref();
  if ((await portProblem(port)) === undefined) return { port, release: () => close(partner) };
  await close(partner);
  return undefined;
}

/** Listens on a port. Resolves with the listener, or with the code of the error. */
function listen(port: number, host: string): Promise<Server | string> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
