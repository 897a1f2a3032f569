import { mongodbUriOf } from '../config/addresses.js';
import { readEnvironment } from '../config/environment.js';
import { databaseName } from '../store/mongodb/client.js';
import { runShardCommands, type ShardCommand, shardCommands } from '../store/mongodb/sharding.js';

/** Prints the commands that shard the database. With `run`, executes them on the cluster of MONGODB_URI. */
export async function shardDatabase(options: { run?: boolean }): Promise<number> {
  const result = readEnvironment(process.env);
  if ('mistakes' in result) {
    console.error(result.mistakes.join('\n'));
    return 1;
  }
  const uri = mongodbUriOf(result.environment);
  if (options.run) {
    await runShardCommands(uri, (command) => console.log(`done: ${command.reason}`));
    return 0;
  }
  for (const command of shardCommands(databaseName(uri))) console.log(inShell(command));
  return 0;
}

function inShell({ reason, command }: ShardCommand): string {
  return `// ${reason}\ndb.adminCommand(${JSON.stringify(command)})`;
}
