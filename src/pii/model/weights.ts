/**
 * The trained file: transitions, a hash table of feature weights, the word lists and the word clusters. It is read
 * into the memory of the kernel, which is told where each part begins.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { Gazetteer, MOST_SLOTS } from './gazetteer.js';
import { Kernel } from './kernel.js';
import { LABEL_COUNT } from './labels.js';

export const BUCKET_SLOTS = 8;
export const MAGIC = 0x504e4c53;
export const FORMAT = 4;
export const HEADER_BYTES = 32;
/** The number of ways in which a token can follow another one. */
export const STEP_COUNT = 6;
export const TRANSITION_COUNT = STEP_COUNT * LABEL_COUNT * LABEL_COUNT;

export interface Weights {
  readonly kernel: Kernel;
  readonly gazetteer: Gazetteer;
}

/**
 * Reads the header: magic, format, buckets, slots of the word lists (all uint32), scale (float32), slots and paths of
 * the clusters. Little-endian.
 */
function takeParts(kernel: Kernel, size: number): Weights {
  const { exports, fileAt } = kernel;
  const { buffer } = kernel.bytes;
  const header = new DataView(buffer, fileAt, HEADER_BYTES);
  if (size < HEADER_BYTES || header.getUint32(0, true) !== MAGIC || header.getUint32(4, true) !== FORMAT) {
    throw new Error('The file of the name model has an unknown format; run the training again.');
  }
  const [buckets, listSlots] = [header.getUint32(8, true), header.getUint32(12, true)];
  const [clusterSlots, paths] = [header.getUint32(20, true), header.getUint32(24, true)];
  if (Math.max(listSlots, clusterSlots) > MOST_SLOTS) {
    throw new Error(
      `A table of the name model has more than ${MOST_SLOTS} slots, which its hash cannot tell apart.`,
    );
  }
  let next = fileAt + HEADER_BYTES;
  const part = (bytes: number) => {
    next += bytes;
    return next - bytes;
  };
  exports.setTransitions(part(4 * TRANSITION_COUNT));
  const checks = part(2 * buckets * BUCKET_SLOTS);
  const [listChecks, listFlags] = [part(2 * listSlots), part(2 * listSlots)];
  exports.setLists(listChecks, listFlags, listSlots);
  const [clusterChecks, upper, lower] = [
    part(2 * clusterSlots),
    part(2 * clusterSlots),
    part(2 * clusterSlots),
  ];
  exports.setClusters(clusterChecks, upper, lower, clusterSlots, part(4 * paths));
  exports.setWeights(buckets, checks, next, header.getFloat32(16, true));
  const lists = (at: number) => new Uint16Array(buffer, at, listSlots);
  return { kernel, gazetteer: new Gazetteer(lists(listChecks), lists(listFlags)) };
}

/** A model from the bytes of a file. */
export function readWeights(file: Uint8Array): Weights {
  const kernel = openKernel(file.length);
  kernel.bytes.set(file, kernel.fileAt);
  return takeParts(kernel, file.length);
}

function openKernel(fileBytes: number): Kernel {
  return new Kernel(readFileSync(new URL('./kernel.wasm', import.meta.url)), fileBytes);
}

let loaded: Weights | undefined;

/** The model in the file beside this one, read once per process. */
export function loadWeights(): Weights {
  loaded ??= readFile(new URL('./names.bin', import.meta.url));
  return loaded;
}

function readFile(file: URL): Weights {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const kernel = openKernel(size);
    const { bytes, fileAt } = kernel;
    for (let at = 0; at < size; ) at += readSync(descriptor, bytes, fileAt + at, size - at, null);
    return takeParts(kernel, size);
  } finally {
    closeSync(descriptor);
  }
}
