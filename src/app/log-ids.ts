import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const ID_BYTES = 16;

const pool = Buffer.alloc(256 * ID_BYTES);
let used = pool.length;
let lastMs = Number.NEGATIVE_INFINITY;
let sequence = 0;

/**
 * A UUIDv7, each larger than the one before of this process. The random bytes are drawn for many at once: a draw costs
 * more than all else that a new id takes.
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
    // 31 bits, as the library takes them: there is room to count up within the millisecond.
    sequence = random.readUInt32BE(6) & 0x7fffffff;
  } else {
    sequence = (sequence + 1) | 0;
    if (sequence === 0) lastMs++;
  }
  return v7({ random, msecs: lastMs, seq: sequence });
}
