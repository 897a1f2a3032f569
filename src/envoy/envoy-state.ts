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
