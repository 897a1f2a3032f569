import type { ClientSession } from 'mongodb';
import type { Collections } from '../mongodb/collections.js';
import { StatDeltas, type WaitingStat } from './stat-deltas.js';
import { TagDeltas, type WaitingTags } from './tag-deltas.js';

/** Pending changes of counts, in the form whose JSON MongoDB stores. */
export interface CountChanges {
  tags: WaitingTags[];
  stats: WaitingStat[];
}

/** Sums up what many logs add to all counts, and writes it at once. */
export class CountDeltas {
  readonly tags = new TagDeltas();
  readonly stats: StatDeltas;

  constructor(isCounted?: ConstructorParameters<typeof StatDeltas>[0]) {
    this.stats = new StatDeltas(isCounted);
  }

  get size(): number {
    return this.tags.size + this.stats.size;
  }

  toJson(): string {
    return JSON.stringify({ tags: this.tags.list(), stats: this.stats.list() } satisfies CountChanges);
  }

  add({ tags, stats }: CountChanges): void {
    this.tags.addList(tags);
    this.stats.addList(stats);
  }

  async apply(collections: Collections, session: ClientSession): Promise<void> {
    await this.tags.apply(collections, session);
    await this.stats.apply(collections, session);
  }
}
