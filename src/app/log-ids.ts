import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const ID_BYTES = 16;

const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;
let lastMs = Number.NEGATIVE_INFINITY;
let sequence = 0;

/**
 * A UUIDv7 that is larger than the one before in this process. Random bytes are drawn for many ids at once, because a
 * draw costs more than the rest of an id.
 */
export function newLogId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.subarray(used, used + ID_BYTES);
  used += ID_BYTES;
  const now = Date.now();
  if (now > lastMs) {
    lastMs = now;
    // Only 31 of the 32 bits are random, as in the library, so that there is room to count up within the millisecond.
    sequence = random.readUInt32BE(6) & 0x7fffffff;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs++;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}
