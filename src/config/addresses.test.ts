import { expect, it } from 'vitest';
import { gatewayUrlOf, mongodbUriOf, urlOf } from './addresses.js';
import { readEnvironment } from './environment.js';

it.each([
  [{}, 'mongodb://127.0.0.1:27017/sluice'],
  [{ MONGODB_URI: 'mongodb://elsewhere/sluice' }, 'mongodb://elsewhere/sluice'],
])('with %j the database is at %s', (variables, uri) => {
  const result = readEnvironment(variables);
  expect('environment' in result && mongodbUriOf(result.environment)).toBe(uri);
});

it.each([
  ['127.0.0.1', 'http://127.0.0.1:80'],
  ['0.0.0.0', 'http://127.0.0.1:80'],
  ['192.0.2.7', 'http://192.0.2.7:80'],
  ['::', 'http://[::1]:80'],
  ['::1', 'http://[::1]:80'],
])('listening on %s means that the port is reached at %s', (host, url) => {
  expect(urlOf(host, 80)).toBe(url);
});

it.each([
  [{ SLUICE_HOST: '0.0.0.0', SLUICE_GATEWAY_PORT: '8000' }, 'http://127.0.0.1:8000'],
  [{ SLUICE_GATEWAY_URL: 'https://models.example/' }, 'https://models.example'],
])('with %j clients reach the gateway at %s', (variables, url) => {
  const result = readEnvironment(variables);
  expect('environment' in result && gatewayUrlOf(result.environment)).toBe(url);
});
