import type { Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runShardCommands, shardCommands } from '../../../src/store/mongodb/sharding.js';
import { connectStore } from '../../../src/store/store.js';
import { type AdminApi, openAdminApi, PROJECT } from '../../support/admin-api.js';
import { logRecord } from '../../support/log-record.js';
import { missingMongod, openTestDatabase } from '../../support/mongod.js';
import { silentLogger } from '../../support/silent-logger.js';

describe('the commands for a sharded cluster', () => {
  it('name the database and, for every collection of logs, a key that begins with the project or is a hash of it', () => {
    const commands = shardCommands('mine').map(({ command }) => command);
    expect(commands[0]).toEqual({ enableSharding: 'mine' });
    expect(
      commands.slice(1).map(({ shardCollection, key }) => [shardCollection, Object.keys(key as object)[0]]),
    ).toEqual([
      ['mine.logs', 'project_uid'],
      ['mine.log_bodies', 'project_uid'],
      ['mine.log_fragments', '_id'],
      ['mine.feedback', 'project_uid'],
      ['mine.bulk_undo', 'project_uid'],
      ['mine.hourly_counts', 'project_uid'],
      ['mine.tag_counts', 'project_uid'],
    ]);
  });
});

describe.skipIf(missingMongod !== null)('running these commands', () => {
  it('fails where there is no cluster, and says so', async () => {
    const done: unknown[] = [];
    const test = await openTestDatabase();
    await expect(runShardCommands(test.uri, (command) => done.push(command))).rejects.toThrow(
      /no such command/,
    );
    expect(done).toEqual([]);
    await test.drop();
  });

  it('finds an index for each shard key', async () => {
    const test = await openTestDatabase();
    const store = connectStore({ uri: test.uri, logger: silentLogger });
    await store.ensureIndexes();
    for (const { command } of shardCommands('x').slice(1)) {
      const key = Object.keys(command.key as object);
      const indexes = await test.database.collection(String(command.shardCollection).slice(2)).indexes();
      const begins = (index: { key: object }) =>
        key.every((field, at) => Object.keys(index.key)[at] === field);
      expect(indexes.some(begins), String(command.shardCollection)).toBe(true);
    }
    await store.close();
    await test.drop();
  });
});

describe.skipIf(missingMongod !== null)('a sharded cluster', () => {
  let api: AdminApi;

  beforeAll(async () => {
    api = await openAdminApi();
  });

  afterAll(() => api.close());

  it('gets queries about one project at a time from every call of the API', async () => {
    const record = logRecord({ tags: ['a'], request: { text: 'x'.repeat(3_000_000) }, quality_rating: '👍' });
    const { database } = api.test;
    await database.command({ profile: 2 });
    await api.store.logs.insertMany([record]);
    const path = `/${PROJECT}/logs/${record._id}`;
    const feedback = { body: { score: 1, weight: 1 } };
    const given = await api.call('POST', `/${PROJECT}/feedback/${record._id}`, feedback);
    const calls: [string, string, object?][] = [
      ['GET', path],
      ['GET', `${path}/feedback`],
      ['PATCH', `/${PROJECT}/log/${record._id}`, { body: { metadata_tags: ['b'] } }],
      ['GET', `/${PROJECT}/logs?tags_any=b&metadata.x=1`],
      ['GET', `/${PROJECT}/logs?q=word&min_score=0`],
      ['GET', `/${PROJECT}/tags?prefix=b`],
      ['POST', `/${PROJECT}/logs/bulk`, { body: { filter: {}, add_tags: ['c'] } }],
      ['POST', `/${PROJECT}/logs/bulk`, { body: { ids: [record._id], add_tags: ['d'] } }],
      ['GET', `/${PROJECT}/exports/sft.jsonl`],
      ['GET', `/${PROJECT}/exports/dpo.jsonl`],
      ['DELETE', `${path}/feedback/${given.json.id}`],
    ];
    for (const [method, url, options] of calls) {
      const answer = await api.call(method, url, options);
      expect(answer.status, `${method} ${url} ${answer.text}`).toBeLessThan(300);
    }
    await api.store.deleteExpired([{ project_uid: PROJECT, days: 1 }]);
    await database.command({ profile: 0 });

    const sharded = ['logs', 'log_bodies', 'feedback', 'tag_counts'].map(
      (name) => `${database.databaseName}.${name}`,
    );
    const asked = await database
      .collection('system.profile')
      .find({ ns: { $in: sharded }, op: { $ne: 'insert' } })
      .toArray();
    expect(asked.length).toBeGreaterThan(20);
    const astray = asked
      .filter((entry) => !filtersOf(entry).every(holdsProject))
      .map(({ op, ns, command }) => ({ op, ns, command }));
    expect(astray).toEqual([]);
  });
});

/** What an entry of the profiler looked for. */
function filtersOf({ op, command }: Document): Document[] {
  if (op === 'update' || op === 'remove') return [command.q];
  if (command.pipeline) return [command.pipeline[0].$match];
  if (command.getMore !== undefined) return [];
  return [command.filter ?? command.query];
}

function holdsProject(filter: Document | undefined): boolean {
  if (filter === undefined) return false;
  if ('project_uid' in filter || (filter.$and ?? []).some(holdsProject)) return true;
  return filter.$or?.every(holdsProject) ?? false;
}
