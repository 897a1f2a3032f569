/*
 * Loaded into an engine before anything else (`--import`). It moves the wall clock by the number of milliseconds in a file,
 * as if somebody had set the machine's time. The monotonic clock does not move, as in the real case.
 */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_OFFSET_FILE;
const Real = Date;
let offset = 0;
const read = () => {
  offset = Number(readFileSync(file, 'utf8')) || 0;
};
read();
setInterval(read, 20).unref();

globalThis.Date = class extends Real {
  constructor(...parts) {
    super(...(parts.length === 0 ? [Real.now() + offset] : parts));
  }

  static now() {
    return Real.now() + offset;
  }
};
