import { Counter } from './counter.js';
import type { PreparedLimit } from './limit.js';

/** The most counters whose subjects clients can choose. Each takes about 300 bytes. */
const MOST_CHOSEN = 200_000;

/** Before one is dropped, this many of the counters that were not used for longest are examined. */
const LOOKED_AT = 16;

/** The counters of one limit, with the one that was not used for longest first. */
interface Room {
  counters: Map<string, Counter>;
  /** Whether clients choose its subjects, which are values of metadata or tags. */
  isChosen: boolean;
}

/**
 * The counters of an engine, by limit. The configuration limits the number of projects, keys and endpoints, so only counters
 * of subjects that clients choose are ever dropped. A client that invents users cannot reset the budget of its project.
 */
export class Counters {
  readonly #rooms = new Map<string, Room>();
  #chosen = 0;

  constructor(private readonly mostChosen = MOST_CHOSEN) {}

  /** The counter of the window that contains `now`, in epoch milliseconds. `opened` is called for a new one. */
  get(key: string, limit: PreparedLimit, now: number, opened: (counter: Counter) => void): Counter {
    const room = this.#room(limit);
    const { counters, isChosen } = room;
    const known = counters.get(key);
    if (known?.covers(now)) {
      if (isChosen) {
        counters.delete(key);
        counters.set(key, known);
      }
      known.configure(limit);
      return known;
    }
    const counter = new Counter(key, limit, now);
    if (known !== undefined) this.#drop(room, key);
    if (isChosen && this.#chosen >= this.mostChosen) this.#makeRoom(now);
    counters.set(key, counter);
    if (isChosen) this.#chosen++;
    opened(counter);
    return counter;
  }

  /** Drops the counters of all limits except those with these ids. */
  keepOnly(ids: ReadonlySet<string>): void {
    for (const [id, { counters, isChosen }] of this.#rooms) {
      if (ids.has(id)) continue;
      this.#rooms.delete(id);
      if (isChosen) this.#chosen -= counters.size;
    }
  }

  *all(): Generator<Counter> {
    for (const { counters } of this.#rooms.values()) yield* counters.values();
  }

  get size(): number {
    let size = 0;
    for (const { counters } of this.#rooms.values()) size += counters.size;
    return size;
  }

  #room({ id, limit: { per } }: PreparedLimit): Room {
    let room = this.#rooms.get(id);
    if (room === undefined) {
      room = { counters: new Map(), isChosen: per === 'tag' || per.startsWith('metadata.') };
      this.#rooms.set(id, room);
    }
    return room;
  }

  #drop(room: Room, key: string): void {
    room.counters.delete(key);
    if (room.isChosen) this.#chosen--;
  }

  /**
   * Drops counters of the limit that has the most, so that one project cannot crowd out another: those whose windows
   * have passed, else the one whose subject has used least, which then starts over.
   */
  #makeRoom(now: number): void {
    let largest: Room | undefined;
    for (const room of this.#rooms.values()) {
      if (room.isChosen && room.counters.size > (largest?.counters.size ?? 0)) largest = room;
    }
    if (largest === undefined) return;
    let least: Counter | undefined;
    let looked = 0;
    let dropped = false;
    for (const [key, counter] of largest.counters) {
      if (looked++ === LOOKED_AT) break;
      if (!counter.covers(now)) {
        this.#drop(largest, key);
        dropped = true;
      } else if (counter.state.reserved === 0 && (!least || counter.state.used < least.state.used)) {
        least = counter;
      }
    }
    if (!dropped && least !== undefined) this.#drop(largest, least.key);
  }
}
