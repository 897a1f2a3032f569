import { describe, expect, it } from 'vitest';
import { readLocalSettings } from './settings.js';

describe('the settings of npm start', () => {
  it('are the documented defaults where nothing is set', () => {
    expect(readLocalSettings({}, '/somewhere')).toEqual({
      host: '127.0.0.1',
      adminHost: '127.0.0.1',
      gatewayPort: 8080,
      adminPort: 8081,
      dataFolder: '/somewhere/.sluice',
      configPath: undefined,
      mongodbUri: undefined,
      adminKey: undefined,
    });
  });

  it('come from the environment, with paths made absolute', () => {
    const variables = {
      SLUICE_GATEWAY_PORT: '9080',
      SLUICE_DATA_DIR: 'data',
      SLUICE_CONFIG: 'my/sluice.yaml',
      MONGODB_URI: 'mongodb://elsewhere/sluice',
      SLUICE_ADMIN_KEY: 'my-own-admin-key',
    };
    expect(readLocalSettings(variables, '/somewhere')).toMatchObject({
      gatewayPort: 9080,
      dataFolder: '/somewhere/data',
      configPath: '/somewhere/my/sluice.yaml',
      mongodbUri: 'mongodb://elsewhere/sluice',
      adminKey: 'my-own-admin-key',
    });
  });

  it('report all mistakes at once', () => {
    const variables = { SLUICE_GATEWAY_PORT: '0', SLUICE_ADMIN_PORT: 'x' };
    expect(() => readLocalSettings(variables, '/somewhere')).toThrow(
      /SLUICE_GATEWAY_PORT: expected .*\nSLUICE_ADMIN_PORT: expected /,
    );
  });
});
