import { describe, expect, it } from 'vitest';
import { readStoredEndpoint, readStoredSnapshot, SCHEMA_VERSION, UnreadableError } from './stored.js';

const OLDEST = { name: 'support', models: [{ provider: 'local', model: 'large' }] };

describe('an endpoint that was stored', () => {
  it('gets defaults for missing keys', () => {
    expect(readStoredEndpoint(OLDEST, SCHEMA_VERSION)).toMatchObject({
      name: 'support',
      models: [{ structured_output: false }],
      json_validation: false,
      timeout_ms: 60_000,
      log_content: 'masked',
      plugins: [],
    });
  });

  it('gets defaults inside a map of json_validation', () => {
    const stored = { ...OLDEST, json_validation: { tools: 'all' } };
    expect(readStoredEndpoint(stored, SCHEMA_VERSION).json_validation).toEqual({
      tools: 'all',
      on_invalid: 'reject',
      include_invalid: false,
    });
  });

  it.each([true, false])(
    'from a version without such maps keeps its `json_validation: %s`',
    (json_validation) => {
      for (const version of [undefined, 1, SCHEMA_VERSION]) {
        expect(readStoredEndpoint({ ...OLDEST, json_validation }, version).json_validation).toBe(
          json_validation,
        );
      }
    },
  );

  it('loses keys of a newer version that this one does not know, except those of plugins', () => {
    const config = { unknown_to_us: { deep: [1] } };
    const newer = { ...OLDEST, from_the_future: true, plugins: [{ plugin: 'webhook', config, later: 1 }] };
    const read = readStoredEndpoint(newer, SCHEMA_VERSION + 1);
    expect(read).not.toHaveProperty('from_the_future');
    expect(read.plugins[0]).not.toHaveProperty('later');
    expect(read.plugins[0]?.config).toEqual(config);
  });

  it('from a version without version numbers has no `allow` that nobody chose', () => {
    const plugins = [
      { plugin: 'pii_detection', on_error: 'allow' },
      { plugin: 'webhook', on_error: 'reject' },
    ];
    const [pii, webhook] = readStoredEndpoint({ ...OLDEST, plugins }, undefined).plugins;
    expect(pii).not.toHaveProperty('on_error');
    expect(webhook?.on_error).toBe('reject');
    const [chosen] = readStoredEndpoint({ ...OLDEST, plugins }, 1).plugins;
    expect(chosen?.on_error).toBe('allow');
  });

  it('is not changed by being read', () => {
    const stored = structuredClone(OLDEST);
    readStoredEndpoint(stored, undefined);
    expect(stored).toEqual(OLDEST);
  });

  it.each([[{ ...OLDEST, models: [] }], [{ ...OLDEST, timeout_ms: 'long' }], [null], ['support']])(
    'is refused where it is not an endpoint: %j',
    (value) => {
      expect(() => readStoredEndpoint(value, undefined)).toThrow(UnreadableError);
    },
  );
});

describe('all that was stored', () => {
  it('is read except for unreadable items, which are reported by name', () => {
    const mistakes: string[] = [];
    const hash = 'a'.repeat(64);
    const snapshot = readStoredSnapshot(
      {
        projects: [{ uid: 'p', name: 'demo' }, { uid: 'q' }],
        keys: [
          { id: '1', project_uid: 'p', name: 'good', hash, scopes: ['logs'] },
          { id: '2', project_uid: 'p', name: 'bad', hash, scopes: ['everything'] },
        ],
        endpoints: [
          { project_uid: 'p', endpoint: OLDEST },
          { project_uid: 'p', endpoint: { ...OLDEST, name: 'broken', models: 3 } },
        ],
        remembered: [{ uid: 'r', name: 'left' }],
      },
      (mistake) => mistakes.push(mistake),
    );
    expect(snapshot.projects).toEqual([{ uid: 'p', name: 'demo', enabled: true }]);
    expect(snapshot.keys.map(({ name, prefix }) => [name, prefix])).toEqual([['good', '']]);
    expect(snapshot.endpoints.map(({ endpoint }) => endpoint.name)).toEqual(['support']);
    expect(snapshot.remembered).toEqual([{ uid: 'r', name: 'left' }]);
    expect(mistakes).toEqual([
      expect.stringContaining('the project null cannot be read'),
      expect.stringContaining('the key "bad" cannot be read: /scopes/0'),
      expect.stringContaining('the endpoint "broken" cannot be read: /models'),
    ]);
  });
});
