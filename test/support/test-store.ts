import { connectStore, type Store } from '../../src/store/store.js';
import { openTestDatabase, type TestDatabase } from './mongod.js';
import { silentLogger } from './silent-logger.js';

export interface TestStore extends TestDatabase {
  store: Store;
}

/** A store with its indexes, on a fresh database of the mongod that the test run shares. `drop` closes it too. */
export async function openTestStore(): Promise<TestStore> {
  const database = await openTestDatabase();
  const store = connectStore({ uri: database.uri, logger: silentLogger });
  await store.ensureIndexes();
  return {
    ...database,
    store,
    drop: async () => {
      await store.close();
      await database.drop();
    },
  };
}
