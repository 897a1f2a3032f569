import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7Time } from '../../../src/core/ids.js';
import { borrowGateway, CHAT_PATH, type Gateway, KEYS, PROJECT } from '../../support/gateway.js';
import { missingPrograms } from '../../support/start-sluice.js';

describe.skipIf(missingPrograms !== null)('a request that calls itself gRPC', () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await borrowGateway();
  });
  afterAll(() => gateway?.stop());

  it.each([
    ['application/grpc', CHAT_PATH, KEYS.all],
    ['application/grpc', CHAT_PATH, 'sk-unknown'],
    ['application/grpc+json', `/${PROJECT}/anthropic/v1/messages`, KEYS.all],
    ['application/grpc; charset=utf-8', '/nowhere', null],
  ])('%s is refused with a status that says so (%s)', async (type, path, key) => {
    const headers = { 'content-type': type };
    const answer = await gateway.call('POST', path, { body: '{"model":"support"}', key, headers });
    expect([answer.status, answer.json.error.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.headers.get('grpc-status')).toBeNull();
    expect(uuidV7Time(answer.headers.get('x-inference-log-id') ?? '')).toBeDefined();
  });
});
