import { describe, expect, it } from 'vitest';
import { readLocalSettings } from './settings.js';

describe('the settings of npm start', () => {
  it('are the documented defaults where nothing is set', () => {
    expect(readLocalSettings({}, '/somewhere')).toEqual({
      gatewayPort: 8080,
      adminPort: 8081,
      dataDirectory: '/somewhere/.sluice',
      configPath: undefined,
      mongodbUri: undefined,
      adminKey: undefined,
    });
  });

  it('come from the environment, with paths made absolute', () => {
    const environment = {
      SLUICE_GATEWAY_PORT: '9080',
      SLUICE_ADMIN_PORT: '9081',
      SLUICE_DATA_DIR: 'data',
      SLUICE_CONFIG: 'my/sluice.yaml',
      MONGODB_URI: 'mongodb://elsewhere/sluice',
      SLUICE_ADMIN_KEY: 'k',
    };
    expect(readLocalSettings(environment, '/somewhere')).toEqual({
      gatewayPort: 9080,
      adminPort: 9081,
      dataDirectory: '/somewhere/data',
      configPath: '/somewhere/my/sluice.yaml',
      mongodbUri: 'mongodb://elsewhere/sluice',
      adminKey: 'k',
    });
  });

  it('take an empty variable as unset', () => {
    const settings = readLocalSettings({ SLUICE_CONFIG: '', SLUICE_GATEWAY_PORT: '', MONGODB_URI: '' }, '/x');
    expect(settings).toMatchObject({ configPath: undefined, gatewayPort: 8080, mongodbUri: undefined });
  });

  it.each(['0', '65536', '-1', '80a', '8080.5'])('refuse %s as a port', (port) => {
    expect(() => readLocalSettings({ SLUICE_GATEWAY_PORT: port }, '/x')).toThrow(
      `SLUICE_GATEWAY_PORT=${port} is no port`,
    );
  });

  it('refuse one port for both', () => {
    expect(() => readLocalSettings({ SLUICE_GATEWAY_PORT: '8081' }, '/x')).toThrow('are both 8081');
  });
});
