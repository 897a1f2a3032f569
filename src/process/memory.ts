import { setFlagsFromString } from 'node:v8';

/**
 * The options with which an engine is started. Each half of the young generation may have 16 MiB, in which more streams end before
 * they are collected than in 8. malloc has two arenas, and two fixed thresholds, because those that it adjusts itself keep freed
 * memory forever. A first collection of the old generation at 32 MiB saves 12 MiB, because it frees what only the start needed. The
 * image sets all of them too.
 */
export const NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16', '--initial-old-space-size=32'];
export const MALLOC_ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/**
 * Lets the heap grow to one and a half times its used size before a collection, because little outlives a request. By default V8
 * uses up to four times, which costs a hundred MiB. Objects are always made young: V8 would make some kinds old from the start,
 * where many of that kind had survived, and each of these then holds what belongs to its request until a full collection. The
 * additional compiler of Node 22 and later is off, because it takes memory that malloc keeps, and saves no CPU here. Young objects
 * are collected by one thread: there are so few that helper threads cost 3 % of the CPU and shorten no pause. The young generation
 * does not grow before `expectRequests` is called: most of what a start makes lives on, and the room would stay with an engine that
 * nobody calls. Call it before the program is loaded.
 */
export function boundHeaps(): void {
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--no-maglev');
  setFlagsFromString('--no-parallel-scavenge');
  setFlagsFromString('--no-allocation-site-pretenuring');
  setFlagsFromString('--semi-space-growth-factor=1');
  // This applies to threads that are started from now on. Otherwise each takes 16 MiB to load its modules, and keeps
  // them as long as it works.
  setFlagsFromString('--max-semi-space-size=2');
}

/**
 * Call it when the process serves. From then on the young generation may grow, and V8 waits for a minute of silence, instead of eight
 * seconds, before it collects to give memory back. Such a collection would take a fifth of a second of CPU from the requests that
 * follow a short break.
 */
export function expectRequests(): void {
  setFlagsFromString('--semi-space-growth-factor=2');
  setFlagsFromString('--gc-memory-reducer-start-delay-ms=60000');
}
