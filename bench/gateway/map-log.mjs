import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { placeInSources } from './source-places.mjs';

/* Reads V8's log of hidden classes, which V8 calls maps. */

/** The options with which Node.js writes the log to `file`. */
export function mapLogFlags(file) {
  const log = ['--log-maps', '--no-log-maps-details', '--log-code'];
  return [...log, `--logfile=${file}`, '--no-logfile-per-isolate'];
}

/** Members of a line `map,event,time,from,to,pc,line,column,reason,name`. */
const [EVENT, PC, LINE, COLUMN, REASON, NAME] = [1, 5, 6, 7, 8, 9];

/** What a new hidden class means, by V8's event. Other events only follow from these. */
const MEANINGS = {
  Transition: 'new',
  InitialMap: 'constructor',
  Normalize: 'dictionary',
  NormalizeCached: 'dictionary',
  SlowToFast: 'from dictionary',
};

/** Follows a log while an engine writes it. */
export class MapLog {
  /** Compiled code by its first address: its end, and the name and file of its function. */
  #codes = new Map();
  #offset = 0;
  #rest = '';

  constructor(file) {
    this.file = file;
  }

  /** How many hidden classes were made since the last call, by place. */
  read() {
    const found = [];
    for (const line of this.#newLines()) {
      if (line.startsWith('code-creation,')) this.#addCode(line.split(','));
      else if (line.startsWith('code-move,')) this.#moveCode(line.split(','));
      else if (line.startsWith('map,')) found.push(line.split(','));
    }
    const sorted = [...this.#codes.keys()].sort((one, other) => one - other);
    const counts = new Map();
    for (const fields of found) {
      const meaning = MEANINGS[fields[EVENT]];
      if (meaning === undefined) continue;
      const member = fields[NAME] ? ` (${fields[NAME]})` : '';
      const reason = fields[EVENT].startsWith('Normalize') && fields[REASON] ? `: ${fields[REASON]}` : '';
      const place = placeOf(this.#codeAt(sorted, Number(fields[PC])), fields[LINE], fields[COLUMN]);
      const key = `${meaning}${reason}  ${place}${member}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }

  *#newLines() {
    const size = statSync(this.file).size;
    const file = openSync(this.file, 'r');
    const piece = Buffer.allocUnsafe(1 << 22);
    try {
      while (this.#offset < size) {
        const length = readSync(file, piece, 0, Math.min(piece.length, size - this.#offset), this.#offset);
        this.#offset += length;
        const lines = (this.#rest + piece.latin1Slice(0, length)).split('\n');
        this.#rest = lines.pop();
        yield* lines;
      }
    } finally {
      closeSync(file);
    }
  }

  /** A line is `code-creation,type,kind,time,address,size,name,…`. */
  #addCode([, , , , address, size, name]) {
    const start = Number(address);
    this.#codes.set(start, { end: start + Number(size), ...functionOf(name ?? '') });
  }

  /** A collection of garbage moves compiled code. */
  #moveCode([, from, to]) {
    const code = this.#codes.get(Number(from));
    if (code === undefined) return;
    this.#codes.delete(Number(from));
    const start = Number(to);
    this.#codes.set(start, { ...code, end: start + code.end - Number(from) });
  }

  #codeAt(sorted, pc) {
    let [low, high] = [0, sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle] <= pc) low = middle + 1;
      else high = middle;
    }
    const code = this.#codes.get(sorted[low - 1]);
    return code !== undefined && pc < code.end ? code : undefined;
  }
}

/** A place as people know it. */
function placeOf(code, line, column) {
  if (code === undefined) return `(native code) ${line}:${column}`;
  const { name, file } = code;
  const source = placeInSources(file, Number(line) - 1, Number(column) - 1);
  return source === undefined
    ? `${name} ${shortPath(file)} ${line}:${column}`
    : `${name} ${source.path}:${source.line}`;
}

/** V8 writes `name file:///…/place.js:1:2`, or a path in place of the URL. The numbers are where the function begins. */
function functionOf(text) {
  const [, name, place] = /^(.*?) ?((?:file:\/\/)?\/\S*|node:\S*)?$/.exec(text) ?? [];
  const file = (place ?? '').replace(/:\d+:\d+$/, '');
  return { name: name || '(no name)', file: file.startsWith('file:') ? fileURLToPath(file) : file };
}

function shortPath(path) {
  return path.replace(/^.*\/(dist|node_modules)\//, '');
}
