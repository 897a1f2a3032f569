import { ENGINE_CLUSTER } from './names.js';
import { type PlainResponse, requestOverSocket } from './socket-request.js';

/** Short, because the caller waits for the answer. */
const TIMEOUT_MS = 1_000;

function callEnvoy(socketPath: string, path: string): Promise<PlainResponse> {
  return requestOverSocket(socketPath, 'GET', path, TIMEOUT_MS);
}

/** The answer of Envoy's administration interface. Rejects where there is no answer or the status is not 200. */
export async function askEnvoy(socketPath: string, path: string): Promise<string> {
  const { status, body } = await callEnvoy(socketPath, path);
  if (status !== 200) throw new Error(`${path} answered ${status}`);
  return body;
}

export async function envoyIsLive(socketPath: string): Promise<boolean> {
  return callEnvoy(socketPath, '/ready').then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** How often Envoy has loaded a clusters file; undefined where no Envoy answers. */
export async function clusterUpdates(socketPath: string): Promise<number | undefined> {
  try {
    const { body } = await callEnvoy(socketPath, '/stats?filter=^cluster_manager.cds.update_success$');
    return Number(/update_success: (\d+)/.exec(body)?.[1] ?? 0);
  } catch {
    return undefined;
  }
}

const TLS_FAILURE = /^cluster\.provider-(.+)\.ssl\.\w+: (\d+)$/gm;

/** How many connections to each provider failed in TLS since Envoy started; rejects where no Envoy answers. */
export async function tlsFailures(socketPath: string): Promise<Map<string, number>> {
  const filter = encodeURIComponent(
    '^cluster\\.provider-.*\\.ssl\\.(connection_error|fail_verify_error|fail_verify_san)$',
  );
  const { body } = await callEnvoy(socketPath, `/stats?filter=${filter}`);
  const failures = new Map<string, number>();
  for (const [, provider = '', count] of body.matchAll(TLS_FAILURE)) {
    failures.set(provider, (failures.get(provider) ?? 0) + Number(count));
  }
  return failures;
}

/** What waits in Envoy for engines to read it, in bytes; undefined where no Envoy answers. */
export async function waitingForEngines(socketPath: string): Promise<number | undefined> {
  const filter = encodeURIComponent(`^cluster\\.${ENGINE_CLUSTER}(-.*)?\\.http2\\.pending_send_bytes$`);
  try {
    const { body } = await callEnvoy(socketPath, `/stats?filter=${filter}`);
    let sum = 0;
    for (const [, bytes] of body.matchAll(/: (\d+)$/gm)) sum += Number(bytes);
    return sum;
  } catch {
    return undefined;
  }
}
