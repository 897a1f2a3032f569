import type { DirectorySnapshot } from '../../core/directory-source.js';
import { changeLine, type Edition, editionOf, sameLine, wholeLine } from './changes.js';

/**
 * Sends engines the content of MongoDB and every change of it. Each line is built once for all engines, and only
 * while somebody follows.
 */
export class DirectoryFeed {
  #snapshot?: DirectorySnapshot;
  /** The edition of the snapshot, or an earlier edition with the same content. */
  #edition?: Edition;
  #whole?: Buffer;
  #staleSince?: number;
  readonly #followers = new Set<(line: Buffer) => void>();

  /** The current content of MongoDB. */
  replace(snapshot: DirectorySnapshot): void {
    this.#snapshot = snapshot;
    const wasStale = this.#staleSince !== undefined;
    this.#staleSince = undefined;
    if (this.#followers.size === 0) this.#edition = undefined;
    else this.#publish(snapshot, wasStale);
  }

  /** Reports that MongoDB could not be read since this time (epoch milliseconds). It lasts until the next `replace`. */
  stale(since: number): void {
    if (this.#staleSince !== undefined) return;
    this.#staleSince = since;
    for (const send of [...this.#followers]) this.#publishStale(send);
  }

  /**
   * Calls `send` with the changes since the version `known`, or with everything, and with each later change. Returns
   * a function that ends it; undefined while MongoDB has not been read.
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
