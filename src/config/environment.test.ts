import { describe, expect, it } from 'vitest';
import { readEnvironment } from './environment.js';

function environmentOf(env: NodeJS.ProcessEnv) {
  const result = readEnvironment(env);
  if ('mistakes' in result) throw new Error(result.mistakes.join('\n'));
  return result.environment;
}

function mistakesOf(env: NodeJS.ProcessEnv): string[] {
  const result = readEnvironment(env);
  return 'mistakes' in result ? result.mistakes : [];
}

describe('the environment', () => {
  it('has defaults for all variables that are unset or empty', () => {
    const defaults = {
      host: '127.0.0.1',
      adminHost: '127.0.0.1',
      gatewayPort: 8080,
      adminPort: 8081,
      dataFolder: '.sluice',
      logLevel: 'info',
    };
    expect(environmentOf({})).toEqual(defaults);
    expect(environmentOf({ SLUICE_CONFIG: '', MONGODB_URI: '', SLUICE_ADMIN_PORT: '' })).toEqual(defaults);
  });

  it('is read into values of the right types', () => {
    const environment = environmentOf({
      SLUICE_CONFIG: 'a.yaml',
      SLUICE_HOST: '0.0.0.0',
      SLUICE_GATEWAY_PORT: '9090',
      SLUICE_ADMIN_PORT: '9091',
      SLUICE_DATA_DIR: 'data',
      MONGODB_URI: 'mongodb://user:pass@localhost/sluice',
      ENVOY_BIN: 'bin/envoy',
      MONGOD_BIN: 'bin/mongod',
      SLUICE_ADMIN_KEY: 'sk-root',
      SLUICE_LOG_LEVEL: 'WARN',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318',
    });
    expect(environment).toMatchObject({
      configFile: 'a.yaml',
      host: '0.0.0.0',
      gatewayPort: 9090,
      adminPort: 9091,
      dataFolder: 'data',
      envoyBinary: 'bin/envoy',
      mongodBinary: 'bin/mongod',
      logLevel: 'warn',
    });
    expect(environment.mongodbUri?.reveal()).toBe('mongodb://user:pass@localhost/sluice');
    expect(environment.adminKey?.reveal()).toBe('sk-root');
    expect(JSON.stringify(environment)).not.toMatch(/pass|sk-root/);
  });

  it('puts the admin port on the address of the gateway by default', () => {
    expect(environmentOf({ SLUICE_HOST: '0.0.0.0' }).adminHost).toBe('0.0.0.0');
    expect(environmentOf({ SLUICE_ADMIN_HOST: '0.0.0.0' })).toMatchObject({
      host: '127.0.0.1',
      adminHost: '0.0.0.0',
    });
    expect(mistakesOf({ SLUICE_ADMIN_HOST: 'here' })).toEqual([
      'SLUICE_ADMIN_HOST: expected an IP address, found "here"',
    ]);
  });

  it.each([
    ['SLUICE_ADMIN_URL', 'adminUrl'],
    ['SLUICE_GATEWAY_URL', 'gatewayUrl'],
  ] as const)('accepts as %s the URL of a service, without a path or a password', (name, field) => {
    expect(environmentOf({ [name]: 'http://sluice:8081' })[field]?.host).toBe('sluice:8081');
    for (const url of ['sluice:8081', 'http://a/path', 'http://user:pass@a', 'http://a?b=c']) {
      expect(mistakesOf({ [name]: url })).toEqual([
        `${name}: expected an http or https URL without path and credentials`,
      ]);
    }
  });

  it('trusts the proxies that are named, by address or network', () => {
    const named = { SLUICE_TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8' };
    expect(environmentOf(named).trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
    expect(environmentOf({}).trustedProxies).toBeUndefined();
    for (const wrong of ['proxy', '10.0.0.0/33', '10.0.0.1/8/8', '']) {
      const mistakes =
        wrong === ''
          ? mistakesOf({ SLUICE_TRUSTED_PROXIES: '10.0.0.1,' })
          : mistakesOf({ SLUICE_TRUSTED_PROXIES: wrong });
      expect(mistakes).toEqual([expect.stringContaining(`found ${JSON.stringify(wrong)}`)]);
    }
  });

  it.each([
    [{ SLUICE_GATEWAY_PORT: '0' }, 'SLUICE_GATEWAY_PORT: expected a whole number from 1 to 65535, found "0"'],
    [
      { SLUICE_ADMIN_PORT: '65536' },
      'SLUICE_ADMIN_PORT: expected a whole number from 1 to 65535, found "65536"',
    ],
    [{ SLUICE_ADMIN_PORT: '80a' }, 'SLUICE_ADMIN_PORT: expected a whole number from 1 to 65535, found "80a"'],
    [
      { SLUICE_ADMIN_PORT: '8080' },
      'SLUICE_ADMIN_PORT: expected another port than SLUICE_GATEWAY_PORT (8080)',
    ],
    [
      { SLUICE_LOG_LEVEL: 'loud' },
      'SLUICE_LOG_LEVEL: expected one of trace, debug, info, warn, error, fatal, silent, found "loud"',
    ],
    [{ SLUICE_HOST: 'example' }, 'SLUICE_HOST: expected an IP address, found "example"'],
    [
      { MONGODB_URI: 'user:pass@host' },
      'MONGODB_URI: expected a URI that begins with mongodb:// or mongodb+srv://',
    ],
    [
      { SLUICE_ADMIN_KEY: 'two words' },
      'SLUICE_ADMIN_KEY: expected a key of letters, digits and signs, without spaces',
    ],
    [
      { OTEL_EXPORTER_OTLP_ENDPOINT: 'localhost:4318' },
      'OTEL_EXPORTER_OTLP_ENDPOINT: expected an http or https URL',
    ],
  ])('%j is a mistake', (env, expected) => {
    expect(mistakesOf(env)).toEqual([expected]);
  });

  it('reports all its mistakes at once', () => {
    expect(mistakesOf({ SLUICE_GATEWAY_PORT: 'a', SLUICE_ADMIN_PORT: 'b', SLUICE_HOST: 'c' })).toHaveLength(
      3,
    );
  });
});
