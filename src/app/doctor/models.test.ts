import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { Secret } from '../../core/secret.js';
import type { Provider } from '../../core/settings.js';
import { examineModels } from './models.js';

const CREDENTIAL = 'sk-very-secret';

/** What is found at a provider that answers so, and what it was asked. */
async function examined(
  status: number,
  answer: unknown,
  changes: Partial<Provider> = {},
  called = ['large'],
) {
  const asked: { line: string; headers: IncomingHttpHeaders }[] = [];
  const server = createServer(({ method, url, headers }, response) => {
    asked.push({ line: `${method} ${url}`, headers });
    response.writeHead(status, { location: '/elsewhere' });
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { path = '/v1', ...rest } = changes as Partial<Provider> & { path?: string };
  const provider: Provider = {
    name: 'p',
    api: 'openai',
    base_url: `http://127.0.0.1:${port}${path}`,
    credential: new Secret(CREDENTIAL),
    headers: {},
    forward_headers: [],
    responses: false,
    prices: {},
    ...rest,
  };
  const finding = await examineModels(provider, called);
  expect(JSON.stringify(finding)).not.toContain(CREDENTIAL);
  return { ...finding, asked };
}

it('asks a provider once for its models, with the credential', async () => {
  const { status, detail, asked } = await examined(200, { data: [{ id: 'large' }, { id: 'small' }] });
  expect([status, detail]).toEqual(['ok', expect.stringContaining('lists 2 models')]);
  expect(asked.map(({ line }) => line)).toEqual(['GET /v1/models']);
  expect(asked[0]!.headers.authorization).toBe(`Bearer ${CREDENTIAL}`);
});

it.each<[Partial<Provider> & { path?: string }, string, string]>([
  [{ api: 'anthropic' }, 'GET /v1/models', 'x-api-key'],
  [{ api: 'gemini', path: '/v1beta' }, 'GET /v1beta/models', 'x-goog-api-key'],
  [{ api: 'azure_openai', path: '' }, 'GET /openai/v1/models', 'api-key'],
  [{ api: 'azure_openai', path: '/openai/v1' }, 'GET /openai/v1/models', 'api-key'],
  [{ api: 'azure_openai', path: '', api_version: '1' }, 'GET /openai/models?api-version=1', 'api-key'],
])('asks each kind of provider in its own way: %j', async (changes, line, header) => {
  const { asked } = await examined(200, {}, changes);
  expect(asked.map((one) => [one.line, one.headers[header]])).toEqual([[line, CREDENTIAL]]);
});

it("reports a model that is not in the provider's list, and the name that was probably meant", async () => {
  const list = { models: [{ name: 'models/large' }, { name: 'vendor/small' }] };
  expect(await examined(200, list, { api: 'gemini' }, ['large', 'small'])).toMatchObject({ status: 'ok' });
  expect(await examined(200, list, {}, ['larg'])).toMatchObject({
    status: 'warning',
    detail: expect.stringContaining('but not "larg"; did you mean "large"?'),
  });
});

it('reports a credential that is refused, and one that is missing', async () => {
  expect(await examined(401, { error: CREDENTIAL })).toMatchObject({
    status: 'problem',
    detail: expect.stringContaining('rejects the credential (401)'),
  });
  expect(await examined(401, '', { credential: undefined })).toMatchObject({
    status: 'problem',
    detail: expect.stringContaining('requires a credential (401)'),
  });
});

it.each([302, 403, 404, 500])('accepts an answer that is not a list: %i', async (code) => {
  const { status, detail, asked } = await examined(code, CREDENTIAL);
  expect([status, detail]).toEqual(['ok', expect.stringContaining(`(${code})`)]);
  // A redirect would take the credential along.
  expect(asked).toHaveLength(1);
});

it('does not print a header that cannot be sent', async () => {
  const { status, asked } = await examined(200, {}, { credential: new Secret(`${CREDENTIAL}\nx`) });
  expect([status, asked]).toEqual(['warning', []]);
});
