import { createWriteStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

/*
 * Node.js cannot read zip files. This reads a single entry of a trusted archive below 4 GiB whose hash was checked:
 * it finds the central directory at the end of the file, and the entry in it.
 */
const END_OF_DIRECTORY = 0x06054b50;
const END_OF_DIRECTORY_BYTES = 22;
const DIRECTORY_ENTRY_BYTES = 46;
const LOCAL_HEADER_BYTES = 30;
const MAX_COMMENT_BYTES = 65_535;
const STORED = 0;
const DEFLATED = 8;

interface ZipEntry {
  name: string;
  method: number;
  compressedBytes: number;
  headerOffset: number;
}

/** Writes the one entry whose path ends with `suffix` to `target`. */
export async function extractEntry(archive: string, suffix: string, target: string): Promise<void> {
  const file = await open(archive, 'r');
  try {
    const entry = (await readDirectory(file)).find((candidate) => candidate.name.endsWith(suffix));
    if (entry === undefined) throw new Error(`${archive} holds no ${suffix}`);
    const header = await readBytes(file, entry.headerOffset, LOCAL_HEADER_BYTES);
    const start = entry.headerOffset + LOCAL_HEADER_BYTES + header.readUInt16LE(26) + header.readUInt16LE(28);
    const source = file.createReadStream({
      start,
      end: start + entry.compressedBytes - 1,
      autoClose: false,
    });
    const output = createWriteStream(target, { mode: 0o755 });
    if (entry.method === STORED) await pipeline(source, output);
    else if (entry.method === DEFLATED) await pipeline(source, createInflateRaw(), output);
    else throw new Error(`${archive}: compression method ${entry.method} of ${entry.name} is not known`);
  } finally {
    await file.close();
  }
}

async function readDirectory(file: FileHandle): Promise<ZipEntry[]> {
  const { size } = await file.stat();
  const tailBytes = Math.min(size, END_OF_DIRECTORY_BYTES + MAX_COMMENT_BYTES);
  const tail = await readBytes(file, size - tailBytes, tailBytes);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(END_OF_DIRECTORY);
  const end = tail.lastIndexOf(mark);
  if (end === -1) throw new Error('not a zip file');
  const directory = await readBytes(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12));
  const entries: ZipEntry[] = [];
  for (let at = 0; at < directory.length; ) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const nameStart = at + DIRECTORY_ENTRY_BYTES;
    entries.push({
      name: directory.toString('utf8', nameStart, nameStart + nameBytes),
      method: directory.readUInt16LE(at + 10),
      compressedBytes: directory.readUInt32LE(at + 20),
      headerOffset: directory.readUInt32LE(at + 42),
    });
    at = nameStart + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position, length });
  if (bytesRead < length) throw new Error('the zip file ends early');
  return buffer;
}
