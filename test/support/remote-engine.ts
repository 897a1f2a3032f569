import { parse, stringify } from 'yaml';
import { type PortReservation, reservePort } from '../../src/local/ports.js';
import { TestAuthority } from './certificates.js';

/** The words of `sluice envoy-config` for an engine elsewhere. */
export interface EngineWords {
  engine?: string;
  engineCa?: string;
  engineCert?: string;
  engineKey?: string;
}

export interface RemoteEngine {
  port: PortReservation;
  words: EngineWords;
  /** The configuration with what lets the engine listen there. */
  listening(config: string): string;
}

/** A name, since Envoy Gateway takes no address of this machine. */
const HOST = 'localhost';

/** Where an engine listens over TCP, with certificates for it and for its Envoy in this folder. */
export async function remoteEngine(directory: string): Promise<RemoteEngine> {
  const port = await reservePort();
  const authority = new TestAuthority(directory);
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
