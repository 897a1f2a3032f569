import { request } from 'node:http';

/** One call of Envoy's administration interface on its Unix socket. */
function callEnvoy(socketPath: string, path: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path, timeout: 1_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    });
    call.on('timeout', () => call.destroy(new Error('Envoy does not answer')));
    call.on('error', reject);
    call.end();
  });
}

/** What its administration interface answers; rejects where it does not, or not with 200. */
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

/** How often Envoy has taken up a clusters file; undefined where no Envoy answers. */
export async function clusterUpdates(socketPath: string): Promise<number | undefined> {
  try {
    const { body } = await callEnvoy(socketPath, '/stats?filter=^cluster_manager.cds.update_success$');
    return Number(/update_success: (\d+)/.exec(body)?.[1] ?? 0);
  } catch {
    return undefined;
  }
}

const TLS_FAILURE = /^cluster\.provider-(.+)\.ssl\.\w+: (\d+)$/gm;

/** How many connections to each provider failed in TLS since Envoy's start; rejects where no Envoy answers. */
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
