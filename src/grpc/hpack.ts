/*
 * Decodes HPACK (RFC 7541). The headers that we send are constant, so there is no encoder. Text is decoded as
 * Latin-1, because header names and gRPC metadata are ASCII.
 */

const STATIC_TABLE: readonly (readonly [name: string, value: string])[] = [
  [':authority', ''],
  [':method', 'GET'],
  [':method', 'POST'],
  [':path', '/'],
  [':path', '/index.html'],
  [':scheme', 'http'],
  [':scheme', 'https'],
  [':status', '200'],
  [':status', '204'],
  [':status', '206'],
  [':status', '304'],
  [':status', '400'],
  [':status', '404'],
  [':status', '500'],
  ['accept-charset', ''],
  ['accept-encoding', 'gzip, deflate'],
  ['accept-language', ''],
  ['accept-ranges', ''],
  ['accept', ''],
  ['access-control-allow-origin', ''],
  ['age', ''],
  ['allow', ''],
  ['authorization', ''],
  ['cache-control', ''],
  ['content-disposition', ''],
  ['content-encoding', ''],
  ['content-language', ''],
  ['content-length', ''],
  ['content-location', ''],
  ['content-range', ''],
  ['content-type', ''],
  ['cookie', ''],
  ['date', ''],
  ['etag', ''],
  ['expect', ''],
  ['expires', ''],
  ['from', ''],
  ['host', ''],
  ['if-match', ''],
  ['if-modified-since', ''],
  ['if-none-match', ''],
  ['if-range', ''],
  ['if-unmodified-since', ''],
  ['last-modified', ''],
  ['link', ''],
  ['location', ''],
  ['max-forwards', ''],
  ['proxy-authenticate', ''],
  ['proxy-authorization', ''],
  ['range', ''],
  ['referer', ''],
  ['refresh', ''],
  ['retry-after', ''],
  ['server', ''],
  ['set-cookie', ''],
  ['strict-transport-security', ''],
  ['transfer-encoding', ''],
  ['user-agent', ''],
  ['vary', ''],
  ['via', ''],
  ['www-authenticate', ''],
];

/**
 * The length in bits of each byte's Huffman code. The code is canonical, so the lengths determine it. The last entry
 * is EOS.
 */
const CODE_LENGTHS = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
  8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
  13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
  28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
  22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
  22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
  25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30,
];

/** The size of the header table, which our SETTINGS leave at its default. */
const TABLE_BYTES = 4096;
const ENTRY_OVERHEAD_BYTES = 32;
/**
 * The most bytes that the headers of one stream may have together. The peer is an Envoy, which sends some hundred
 * bytes.
 */
const MAX_LIST_BYTES = 256 * 1024;

/** The header table is out of step, so neither this header block nor any later one can be read. */
export class HpackError extends Error {}

/** Decodes the headers of one connection. Its header table lives as long as the connection. */
export class HpackDecoder {
  /** The header table, with the newest entry first. */
  #entries: [name: string, value: string][] = [];
  #bytes = 0;
  #maxBytes = TABLE_BYTES;
  /** Whether the block that is decoded has changed the header table. */
  #hasChanged = false;
  #block: Buffer = Buffer.alloc(0);
  #at = 0;
  /** The last block that left the header table as it was, and its headers. Envoy sends the same one for each request. */
  #same: { block: Buffer; headers: ReadonlyMap<string, string> } | undefined;

  /** Decodes a whole header block. Where a name occurs twice, the first value counts. Throws HpackError. */
  decode(block: Buffer): ReadonlyMap<string, string> {
    if (this.#same?.block.equals(block) === true) return this.#same.headers;
    this.#hasChanged = false;
    const headers = this.#decode(block);
    // A view would keep all that came together with the block.
    this.#same = this.#hasChanged ? undefined : { block: Buffer.from(block), headers };
    return headers;
  }

  #decode(block: Buffer): Map<string, string> {
    this.#block = block;
    this.#at = 0;
    const headers = new Map<string, string>();
    let bytes = 0;
    while (this.#at < block.length) {
      const entry = this.#field(block[this.#at]!);
      if (entry === undefined) continue;
      const [name, value] = entry;
      bytes += name.length + value.length + ENTRY_OVERHEAD_BYTES;
      if (bytes > MAX_LIST_BYTES) throw new HpackError('the headers are too long');
      if (!headers.has(name)) headers.set(name, value);
    }
    return headers;
  }

  #field(first: number): readonly [string, string] | undefined {
    if (first >= 0x80) return this.#indexed(this.#integer(7));
    if (first >= 0x40) return this.#add(this.#literal(6));
    if (first >= 0x20) {
      this.#resize(this.#integer(5));
      return undefined;
    }
    return this.#literal(4);
  }

  #literal(prefixBits: number): [string, string] {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#string() : this.#indexed(index)[0];
    return [name, this.#string()];
  }

  #indexed(index: number): readonly [string, string] {
    const entry =
      index <= STATIC_TABLE.length ? STATIC_TABLE[index - 1] : this.#entries[index - STATIC_TABLE.length - 1];
    if (entry === undefined) throw new HpackError(`there is no table entry ${index}`);
    return entry;
  }

  #add(entry: [string, string]): [string, string] {
    const bytes = entrySize(entry);
    this.#hasChanged = true;
    this.#evictTo(this.#maxBytes - bytes);
    // An entry that is larger than the whole table empties the table and is not kept (RFC 7541, 4.4).
    if (bytes <= this.#maxBytes) {
      this.#entries.unshift(entry);
      this.#bytes += bytes;
    }
    return entry;
  }

  #resize(bytes: number): void {
    if (bytes > TABLE_BYTES) throw new HpackError('the table is larger than was allowed');
    this.#hasChanged = true;
    this.#maxBytes = bytes;
    this.#evictTo(bytes);
  }

  #evictTo(bytes: number): void {
    while (this.#bytes > bytes && this.#entries.length > 0) this.#bytes -= entrySize(this.#entries.pop()!);
  }

  #integer(prefixBits: number): number {
    const most = (1 << prefixBits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let shift = 0; shift <= 21; shift += 7) {
      const byte = this.#byte();
      value += (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new HpackError('a number is too large');
  }

  #string(): string {
    const isHuffman = (this.#block[this.#at] ?? 0) >= 0x80;
    const start = this.#at;
    const length = this.#integer(7);
    const from = this.#at;
    this.#at += length;
    if (this.#at > this.#block.length) throw new HpackError(`the block ends within the string at ${start}`);
    return isHuffman
      ? decodeHuffman(this.#block, from, this.#at)
      : this.#block.toString('latin1', from, this.#at);
  }

  #byte(): number {
    const byte = this.#block[this.#at++];
    if (byte === undefined) throw new HpackError('the block ends too early');
    return byte;
  }
}

function entrySize([name, value]: [string, string]): number {
  return name.length + value.length + ENTRY_OVERHEAD_BYTES;
}

// Huffman ----------------------------------------------------------------------------------------------

const EOS = 256;
/**
 * The Huffman tree. `TREE[2 * node + bit]` is the next node, or `-1 - symbol` at a leaf, or 0 where no code continues
 * so.
 */
const TREE = buildTree();

/*
 * The Huffman tree in steps of four bits, because each stream's headers have Huffman-coded text. `16 * node + bits`
 * is the index of the node that these four bits lead to, and of the letter that they complete. No code is shorter
 * than five bits, so four bits complete at most one letter.
 */
const NO_LETTER = -1;
const NO_WAY = -1;
const STEPS = buildSteps();
/**
 * The nodes at which a text may end. The last byte is filled up with the beginning of EOS, which consists of ones.
 */
const ENDS = buildEnds();
const FIRST_BYTES = 256;
let letters = Buffer.allocUnsafeSlow(FIRST_BYTES);

function buildTree(): Int16Array {
  const tree = new Int16Array(2 * (EOS + 1));
  let nodes = 1;
  let code = 0;
  let length = 0;
  const symbols = CODE_LENGTHS.map((bits, symbol) => ({ bits, symbol }));
  symbols.sort((one, other) => one.bits - other.bits || one.symbol - other.symbol);
  for (const { bits, symbol } of symbols) {
    code <<= bits - length;
    length = bits;
    let node = 0;
    for (let bit = bits - 1; bit > 0; bit--) {
      const at = 2 * node + ((code >> bit) & 1);
      if (tree[at] === 0) tree[at] = nodes++;
      node = tree[at]!;
    }
    tree[2 * node + (code & 1)] = -1 - symbol;
    code++;
  }
  return tree;
}

function buildSteps(): { nodes: Int16Array; symbols: Int16Array } {
  const nodes = new Int16Array(8 * TREE.length).fill(NO_WAY);
  const symbols = new Int16Array(nodes.length).fill(NO_LETTER);
  for (let from = 0; from < TREE.length / 2; from++) {
    for (let bits = 0; bits < 16; bits++) {
      let node = from;
      let symbol = NO_LETTER;
      for (let bit = 3; bit >= 0; bit--) {
        const next = TREE[2 * node + ((bits >> bit) & 1)]!;
        if (next < 0) symbol = -1 - next;
        node = Math.max(next, 0);
      }
      if (symbol === EOS) continue;
      nodes[16 * from + bits] = node;
      symbols[16 * from + bits] = symbol;
    }
  }
  return { nodes, symbols };
}

function buildEnds(): Set<number> {
  const ends = new Set<number>();
  for (let node = 0; ends.size < 8; node = TREE[2 * node + 1]!) ends.add(node);
  return ends;
}

function decodeHuffman(block: Buffer, from: number, to: number): string {
  const { nodes, symbols } = STEPS;
  // Each letter has five bits or more.
  const most = ((to - from) * 8) / 5;
  if (letters.length < most) letters = Buffer.allocUnsafeSlow(2 * most);
  let count = 0;
  let node = 0;
  for (let at = from; at < to; at++) {
    const byte = block[at]!;
    const middle = 16 * node + (byte >> 4);
    if (symbols[middle]! >= 0) letters[count++] = symbols[middle]!;
    const end = 16 * nodes[middle]! + (byte & 15);
    if (!(nodes[end]! >= 0)) throw new HpackError('a Huffman-coded string contains the end-of-string symbol');
    if (symbols[end]! >= 0) letters[count++] = symbols[end]!;
    node = nodes[end]!;
  }
  if (!ENDS.has(node)) throw new HpackError('a Huffman-coded string ends within a symbol');
  return letters.toString('latin1', 0, count);
}
