import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

const PATIENCE_MS = 5_000;

/** Undefined where a connection, with TLS for `https`, can be made; else why not. Nothing is sent over it. */
export function connectionProblem(url: URL): Promise<string | undefined> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const tls = url.protocol === 'https:';
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port);
  return tryConnection((done) =>
    tls ? connectTls({ host, port, servername: host }, done) : connectTcp({ host, port }, done),
  );
}

export function socketProblem(path: string): Promise<string | undefined> {
  return tryConnection((done) => connectTcp({ path }, done));
}

type Connect = (done: () => void) => ReturnType<typeof connectTcp>;

function tryConnection(connect: Connect): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (problem: string | undefined) => {
      socket.destroy();
      resolve(problem);
    };
    const socket = connect(() => end(undefined));
    socket.setTimeout(PATIENCE_MS, () => end(`no answer within ${PATIENCE_MS / 1000} s`));
    socket.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
  });
}
