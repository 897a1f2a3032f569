import { connect as connectHttp2 } from 'node:http2';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

const PATIENCE_MS = 5_000;
export const NO_ANSWER = `no answer within ${PATIENCE_MS / 1000} s`;

/**
 * Opens a connection, with TLS for `https`, and sends nothing. Resolves with undefined, or with the reason where it
 * cannot be opened.
 */
export function connectionProblem(url: URL): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const tls = url.protocol === 'https:';
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
  return tryConnection((done) =>
    tls ? connectTls({ host, port, servername: host }, done) : connectTcp({ host, port }, done),
  );
}

/**
 * Sends a ping to the engine behind a Unix socket. Resolves with undefined, or with the reason where it does not
 * answer. A connection alone proves nothing, because the system accepts it even where the engine hangs.
 */
export function engineProblem(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (problem: string | undefined) => {
      clearTimeout(timer);
      session.destroy();
      resolve(problem);
    };
    const timer = setTimeout(() => end(NO_ANSWER), PATIENCE_MS);
    const session = connectHttp2('http://engine', { createConnection: () => connectTcp({ path }) });
    session.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    session.on('connect', () => session.ping((error) => end(error?.message)));
  });
}

type Connect = (done: () => void) => ReturnType<typeof connectTcp>;

function tryConnection(connect: Connect): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (problem: string | undefined) => {
      socket.destroy();
      resolve(problem);
    };
    const socket = connect(() => end(undefined));
    socket.setTimeout(PATIENCE_MS, () => end(NO_ANSWER));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
