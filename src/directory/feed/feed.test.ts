import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../../test/support/endpoint.js';
import { SCHEMA_VERSION } from '../../config/stored/stored.js';
import type { DirectorySnapshot } from '../../core/directory-source.js';
import { hashKey } from '../keys.js';
import { FedContent } from './fed-content.js';
import { DirectoryFeed } from './feed.js';

const EMPTY: DirectorySnapshot = { projects: [], keys: [], endpoints: [], remembered: [] };
const key = (id: string, text: string): DirectorySnapshot['keys'][number] => ({
  ...{ id, project_uid: 'p', name: `key ${id}`, prefix: 'sk', scopes: ['inference'] },
  hash: hashKey(text),
});
const endpoint = (name: string, changes = {}) => ({
  project_uid: 'p',
  endpoint: endpointOf({ name, ...changes }),
});
const ignore = () => undefined;

/** An engine that follows a feed: what it knows, and how much it was told. */
function follower(feed: DirectoryFeed, content = new FedContent(ignore)) {
  const lines: string[] = [];
  const leave = feed.follow(content.version, (line) => {
    lines.push(line.toString());
    content.take(line.toString());
  });
  return { content, lines, leave };
}

/** Order says nothing. */
function sorted(snapshot: DirectorySnapshot): unknown {
  const texts = (items: readonly object[]) => items.map((item) => JSON.stringify(item)).sort();
  return Object.fromEntries(Object.entries(snapshot).map(([kind, items]) => [kind, texts(items)]));
}

const name = fc.constantFrom('a', 'b', 'c', 'd');
const snapshots = fc.record({
  projects: fc.uniqueArray(
    fc.record({ uid: name, name: fc.constantFrom('one', 'two'), enabled: fc.boolean() }),
    { selector: ({ uid }) => uid },
  ),
  keys: fc
    .uniqueArray(fc.tuple(name, name), { selector: ([id]) => id })
    .map((keys) => keys.map(([id, text]) => key(id, text))),
  endpoints: fc
    .uniqueArray(fc.tuple(name, fc.integer({ min: 1, max: 3 })), { selector: ([id]) => id })
    .map((found) => found.map(([id, timeout_ms]) => endpoint(id, { timeout_ms }))),
  remembered: fc.uniqueArray(fc.record({ uid: name, name }), { selector: ({ uid }) => uid }),
});

describe('a feed of the directory', () => {
  it('gives every follower the current directory, whenever it joined and whatever it knew', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(snapshots, fc.constantFrom('none', 'comes', 'goes')), {
          minLength: 1,
          maxLength: 8,
        }),
        (steps) => {
          const feed = new DirectoryFeed();
          const known = new FedContent(ignore);
          const there: ReturnType<typeof follower>[] = [];
          for (const [snapshot, what] of steps) {
            feed.replace(snapshot);
            if (what === 'comes') there.push(follower(feed));
            // One that was away for some changes comes back with what it knew.
            follower(feed, known).leave?.();
            if (what === 'goes') there.shift()?.leave?.();
            for (const { content } of [...there, { content: known }]) {
              expect(sorted(content.snapshot())).toEqual(sorted(snapshot));
            }
          }
        },
      ),
    );
  });

  it('sends nothing while MongoDB has not been read', () => {
    expect(new DirectoryFeed().follow(undefined, ignore)).toBeUndefined();
  });

  it('sends only what changed, and nothing where nothing changed', () => {
    const feed = new DirectoryFeed();
    const keys = Array.from({ length: 50 }, (_none, number) => key(String(number), `sk-${number}`));
    feed.replace({ ...EMPTY, keys });
    const { content, lines } = follower(feed);
    feed.replace({ ...EMPTY, keys: [...keys].reverse() });
    expect(lines).toHaveLength(1);
    feed.replace({ ...EMPTY, keys: keys.slice(1) });
    expect(lines).toHaveLength(2);
    expect(lines[1]!.length).toBeLessThan(200);
    expect(content.snapshot().keys).toHaveLength(49);
  });

  it('sends only the version to a follower that comes back when nothing changed', () => {
    const feed = new DirectoryFeed();
    feed.replace({ ...EMPTY, keys: [key('1', 'sk-one')] });
    const first = follower(feed);
    first.leave?.();
    const second = follower(feed, first.content);
    expect(JSON.parse(second.lines[0]!)).toEqual({
      version: first.content.version,
      schema_version: SCHEMA_VERSION,
    });
  });

  it('tells present and new followers that it may be out of date, and when it is up to date again', () => {
    const feed = new DirectoryFeed();
    const snapshot = { ...EMPTY, keys: [key('1', 'sk-one')] };
    feed.replace(snapshot);
    const early = follower(feed);
    feed.stale(Date.now() - 40_000);
    feed.stale(Date.now());
    const late = follower(feed);
    for (const { content } of [early, late]) {
      expect(Date.now() - content.staleSince!).toBeGreaterThan(39_000);
      expect(content.snapshot().keys).toHaveLength(1);
    }
    expect(early.lines).toHaveLength(2);
    feed.replace(snapshot);
    for (const { content } of [early, late]) expect(content.staleSince).toBeUndefined();
  });

  it('tells an engine that reconnects that the directory may be out of date', () => {
    const feed = new DirectoryFeed();
    feed.replace(EMPTY);
    const { content, leave } = follower(feed);
    feed.stale(Date.now());
    leave?.();
    expect(follower(feed, content).lines).toEqual([expect.stringContaining('"stale_s"')]);
  });

  it('does not say how old it is before MongoDB was read', () => {
    const feed = new DirectoryFeed();
    feed.stale(Date.now());
    expect(feed.follow(undefined, ignore)).toBeUndefined();
    feed.replace(EMPTY);
    expect(follower(feed).content.staleSince).toBeUndefined();
  });

  it('contains hashes of keys and no text of one', () => {
    const feed = new DirectoryFeed();
    feed.replace({ ...EMPTY, keys: [key('1', 'sk-very-secret')] });
    const { lines } = follower(feed);
    expect(lines[0]).toContain(hashKey('sk-very-secret'));
    expect(lines[0]).not.toContain('sk-very-secret');
  });
});

describe('the directory of a follower', () => {
  const whole = (put: object) =>
    JSON.stringify({ version: 'v', schema_version: SCHEMA_VERSION, whole: true, put });

  it('loses an endpoint whose new form it cannot read, and reports which', () => {
    const mistakes: string[] = [];
    const content = new FedContent((mistake) => mistakes.push(mistake));
    content.take(whole({ endpoints: [endpoint('a'), endpoint('b')] }));
    const broken = { project_uid: 'p', endpoint: { name: 'a', models: 7 } };
    content.take(
      JSON.stringify({ version: 'w', schema_version: SCHEMA_VERSION, put: { endpoints: [broken] } }),
    );
    expect(content.snapshot().endpoints.map(({ endpoint }) => endpoint.name)).toEqual(['b']);
    expect(mistakes.join()).toContain('the endpoint "a" cannot be read');
  });

  it('converts an endpoint of an older version to the form of this one', () => {
    const content = new FedContent(ignore);
    const plugins = [{ plugin: 'x', phases: ['request'], on_error: 'allow' }];
    const old = { project_uid: 'p', endpoint: { ...endpointOf({ name: 'a' }), plugins } };
    content.take(JSON.stringify({ version: 'v', schema_version: 0, whole: true, put: { endpoints: [old] } }));
    expect(content.snapshot().endpoints[0]!.endpoint.plugins[0]).not.toHaveProperty('on_error');
  });

  it.each([
    ['no JSON', '<html>'],
    ['a list', '[]'],
    ['something else', '{"version":"v"}'],
    ['lists that are none', whole({ keys: {} })],
    ['an age that is none', '{"version":"v","schema_version":1,"stale_s":"long"}'],
  ])('stays unchanged after %s, and is requested anew as a whole', (_what, text) => {
    const content = new FedContent(ignore);
    content.take(whole({ endpoints: [endpoint('a')] }));
    expect(() => content.take(text)).toThrow();
    expect(content.snapshot().endpoints).toHaveLength(1);
    expect(content.version).toBeUndefined();
  });
});
