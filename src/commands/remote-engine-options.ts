import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { MeshOptions } from '../envoy/envoy-gateway.js';

/** The options `--engine…` of `sluice envoy-config`. */
interface EngineWords {
  engine?: string;
  engineCa?: string;
  engineCert?: string;
  engineKey?: string;
}

const HOST = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
const LOOPBACK = /^(127\..*|::1|localhost)$/;

/**
 * Where the engines are, or one line that says what is wrong. For Kubernetes, the texts of the certificate files are
 * written into resources. For other Envoys, the absolute paths are written, and the files need not exist yet.
 */
export function readRemoteEngine(words: EngineWords, target: string): MeshOptions['remoteEngine'] | string {
  const { engine, engineCa, engineCert, engineKey } = words;
  if (engine === undefined) {
    const given = engineCa ?? engineCert ?? engineKey;
    return given === undefined
      ? undefined
      : '--engine-ca, --engine-cert and --engine-key go with --engine HOST:PORT.';
  }
  const address = addressOf(engine);
  if (address === undefined) {
    return `--engine ${JSON.stringify(engine)}: a host and a port were expected, such as sluice-engine.sluice.svc:9191.`;
  }
  if ((engineCert === undefined) !== (engineKey === undefined)) {
    return '--engine-cert and --engine-key go together.';
  }
  if (engineCa === undefined) {
    if (engineCert !== undefined) return '--engine-cert goes with --engine-ca: without it there is no TLS.';
    warnOfPlainText(address.host);
    return address;
  }
  const ca = resolve(engineCa);
  const client =
    engineCert === undefined ? undefined : { cert: resolve(engineCert), key: resolve(engineKey!) };
  const tls = { ca, client };
  if (target !== 'envoy-gateway') return { ...address, tls };
  try {
    const read = (path: string) => readFileSync(path, 'utf8');
    const texts = {
      ca: read(ca),
      client: client === undefined ? undefined : { cert: read(client.cert), key: read(client.key) },
    };
    return { ...address, tls, texts };
  } catch (error) {
    return `A file of --engine-… cannot be read: ${(error as Error).message}`;
  }
}

function addressOf(text: string): { host: string; port: number } | undefined {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain ?? '';
  const port = Number(digits);
  const isHost = bracketed === undefined ? HOST.test(host) : isIP(host) === 6;
  return isHost && port > 0 && port <= 65_535 ? { host, port } : undefined;
}

function warnOfPlainText(host: string): void {
  if (LOOPBACK.test(host)) return;
  console.error(
    `--engine is on ${host}, and without --engine-ca the Envoy sends requests and credentials to it in plain text.`,
  );
}
