import type { DirectorySnapshot } from '../../core/directory-source.js';
import { changeLine, type Edition, editionOf, sameLine, wholeLine } from './changes.js';

/**
 * Tells engines what MongoDB has, and each change of it. What is told is made once for all of them, and nothing is
 * made while nobody follows.
 */
export class DirectoryFeed {
  #snapshot?: DirectorySnapshot;
  /** Of the snapshot, or of one before it that nobody was told to have changed since. */
  #edition?: Edition;
  #whole?: Buffer;
  #staleSince?: number;
  readonly #followers = new Set<(line: Buffer) => void>();

  /** What MongoDB has from now on. */
  replace(snapshot: DirectorySnapshot): void {
    this.#snapshot = snapshot;
    const wasStale = this.#staleSince !== undefined;
    this.#staleSince = undefined;
    if (this.#followers.size === 0) this.#edition = undefined;
    else this.#publish(snapshot, wasStale);
  }

  /** MongoDB cannot be read since then, epoch milliseconds, until the next `replace`. */
  stale(since: number): void {
    if (this.#staleSince !== undefined) return;
    this.#staleSince = since;
    for (const send of [...this.#followers]) this.#publishStale(send);
  }

  /**
   * Calls `send` at once with the way from the version `known`, or from nothing, to what is there; later with each
   * change. Gives what ends it; undefined while MongoDB has not been read.
   */
  follow(known: string | undefined, send: (line: Buffer) => void): (() => void) | undefined {
    if (this.#snapshot === undefined) return undefined;
    if (this.#edition === undefined) this.#take(editionOf(this.#snapshot));
    const edition = this.#edition!;
    if (known !== edition.version) send(this.#wholeOf(edition));
    else if (this.#staleSince === undefined) send(Buffer.from(sameLine(edition)));
    this.#publishStale(send);
    this.#followers.add(send);
    return () => this.#followers.delete(send);
  }

  #publishStale(send: (line: Buffer) => void): void {
    if (this.#staleSince === undefined || this.#edition === undefined) return;
    const seconds = Math.max(0, Math.round((Date.now() - this.#staleSince) / 1000));
    send(Buffer.from(sameLine(this.#edition, seconds)));
  }

  #publish(snapshot: DirectorySnapshot, wasStale: boolean): void {
    const [before, after] = [this.#edition!, editionOf(snapshot)];
    const isSame = before.version === after.version;
    if (isSame && !wasStale) return;
    if (!isSame) this.#take(after);
    const line = Buffer.from(isSame ? sameLine(before) : changeLine(before, after));
    for (const send of [...this.#followers]) send(line);
  }

  #wholeOf(edition: Edition): Buffer {
    this.#whole ??= Buffer.from(wholeLine(edition));
    return this.#whole;
  }

  #take(edition: Edition): void {
    this.#edition = edition;
    this.#whole = undefined;
  }
}
