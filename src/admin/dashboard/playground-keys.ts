import { randomUUID } from 'node:crypto';
import type { Change } from '../../store/directory/entry-store.js';
import type { KeyDocument } from '../../store/mongodb/collections.js';
import { applyChange } from '../access/project-access.js';
import type { AdminDependencies } from '../dependencies.js';

const IDLE_MS = 60 * 60_000;

interface Lent {
  id: string;
  key: string;
  end: NodeJS.Timeout;
}

/**
 * The playground calls the gateway as any client does, and so needs a key. Each project gets a key of its own while
 * its playground is used. The key is deleted after an hour without use, and when the service ends.
 */
export class PlaygroundKeys {
  readonly #lent = new Map<string, Promise<Lent>>();

  constructor(private readonly dependencies: AdminDependencies) {}

  /** The project's key; it is created where there is none. The project must exist. */
  async keyFor(projectUid: string, actor: string): Promise<string> {
    let lent = this.#lent.get(projectUid);
    if (lent === undefined) {
      lent = this.#make(projectUid, actor);
      this.#lent.set(projectUid, lent);
      // The next call tries again.
      lent.catch(() => this.#lent.delete(projectUid));
    }
    const { key, end } = await lent;
    end.refresh();
    return key;
  }

  /** Call it where somebody has deleted the key meanwhile. */
  forget(projectUid: string): void {
    const lent = this.#lent.get(projectUid);
    this.#lent.delete(projectUid);
    lent?.then(({ end }) => clearTimeout(end)).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#lent.keys()].map((uid) => this.#takeAway(uid)));
  }

  async #make(project_uid: string, actor: string): Promise<Lent> {
    const { store, generateKey } = this.dependencies;
    const { key, hash, prefix } = generateKey();
    const content = {
      project_uid,
      name: `playground ${randomUUID().slice(0, 8)}`,
      scopes: ['inference' as const],
      hash,
      prefix,
    };
    const { _id } = await store.administration.keys.create(changeBy(actor), content);
    await applyChange(this.dependencies);
    const end = setTimeout(() => void this.#takeAway(project_uid), IDLE_MS).unref();
    return { id: _id, key, end };
  }

  async #takeAway(project_uid: string): Promise<void> {
    const { store, logger } = this.dependencies;
    const lent = this.#lent.get(project_uid);
    this.#lent.delete(project_uid);
    try {
      const made = await lent;
      if (made === undefined) return;
      clearTimeout(made.end);
      await store.administration.keys.remove(changeBy('playground'), { _id: made.id, project_uid }, 'any');
      await applyChange(this.dependencies);
    } catch (error) {
      // A key that could not be deleted stays in the list under its name, where people can delete it.
      logger.warn({ err: error }, 'a key of the playground could not be deleted');
    }
  }
}

function changeBy(actor: string): Change<KeyDocument> {
  return {
    actor,
    describe: ({ _id, name, prefix, scopes }) => ({ id: _id, name, prefix, scopes, managed_by: 'api' }),
  };
}
