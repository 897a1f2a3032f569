import { createClient, databaseName } from './client.js';

/** One command for `mongos`, and its reason. */
export interface ShardCommand {
  reason: string;
  command: Record<string, unknown>;
}

/**
 * The commands that shard a database of Sluice, in order. Logs are distributed by project and, within a project, by
 * id: ids grow with time, so a project's logs split into ranges that can move. Everything that belongs to a log
 * follows it.
 */
export function shardCommands(database: string): ShardCommand[] {
  const shard = (collection: string, key: Record<string, 1>, reason: string): ShardCommand => ({
    reason,
    command: { shardCollection: `${database}.${collection}`, key },
  });
  return [
    { reason: 'lets collections of the database be sharded', command: { enableSharding: database } },
    shard('logs', { project_uid: 1, _id: 1 }, 'logs of a project in order of their ids'),
    shard('log_bodies', { project_uid: 1, _id: 1 }, 'large bodies: their ids begin with the id of their log'),
    shard('log_fragments', { _id: 1 }, 'what logs repeat: the id is a hash, so it spreads evenly'),
    shard('feedback', { project_uid: 1, log_id: 1 }, 'signals beside the logs that they are about'),
    shard('bulk_undo', { project_uid: 1, change_id: 1, _id: 1 }, 'what logs were before a change of many'),
    shard('hourly_counts', { project_uid: 1, at: 1 }, 'counts of logs by project and time'),
    shard('tag_counts', { project_uid: 1, tag: 1 }, 'counts of tags by project'),
  ];
}

/**
 * Runs the commands on the cluster of the URI, in order. `done` is called after each. Repeating them changes nothing. Rejects
 * with MongoDB's own error where the URI does not lead to a `mongos`.
 */
export async function runShardCommands(uri: string, done: (command: ShardCommand) => void): Promise<void> {
  const client = createClient({ uri, silenceMs: 0 });
  try {
    for (const command of shardCommands(databaseName(uri))) {
      await client.db('admin').command(command.command);
      done(command);
    }
  } finally {
    await client.close();
  }
}
