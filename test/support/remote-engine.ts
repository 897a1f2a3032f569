import { parse, stringify } from 'yaml';
import { type PortReservation, reservePort } from '../../src/local/ports.js';
import { TestAuthority } from './certificates.js';

/** The options of `sluice envoy-config` for an engine on another machine. */
export interface EngineWords {
  engine?: string;
  engineCa?: string;
  engineCert?: string;
  engineKey?: string;
}

export interface RemoteEngine {
  port: PortReservation;
  words: EngineWords;
  /** Adds to a configuration that the engine listens on this address. */
  listening(config: string): string;
}

/** A host name and not an address, because Envoy Gateway rejects a loopback address. */
const HOST = 'localhost';

/** An address for an engine that listens over TCP, and certificates in this folder for it and for its Envoy. */
export async function remoteEngine(folder: string): Promise<RemoteEngine> {
  const port = await reservePort();
  const authority = new TestAuthority(folder);
  const [engine, envoy] = [authority.issue('engine', HOST), authority.issue('envoy')];
  const tls = { cert_file: engine.cert, key_file: engine.key, client_ca_file: engine.ca };
  return {
    port,
    words: {
      engine: `${HOST}:${port.port}`,
      engineCa: envoy.ca,
      engineCert: envoy.cert,
      engineKey: envoy.key,
    },
    listening: (config) => {
      const parsed = parse(config);
      const listen = { address: `127.0.0.1:${port.port}`, tls };
      return stringify({ ...parsed, engine: { ...parsed.engine, listen } });
    },
  };
}
