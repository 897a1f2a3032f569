/**
 * The trained file: a hash table of feature weights and the word lists, as typed-array views on the bytes that
 * were read. Features sit in buckets of eight slots, each found by a 16-bit check value, so that a feature that
 * training did not keep costs one short look and adds nothing.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { WordClusters } from './clusters.js';
import { Gazetteer } from './gazetteer.js';
import { LABEL_COUNT } from './labels.js';
import { type Lexicon, STEP_COUNT } from './sentence.js';

export const BUCKET_SLOTS = 8;
export const MAGIC = 0x504e4c53;
export const FORMAT = 2;
export const HEADER_BYTES = 32;
export const TRANSITION_COUNT = STEP_COUNT * LABEL_COUNT * LABEL_COUNT;

/** Of the memory that the file is read into, in front of it: a WebAssembly function works there. */
export const FREE_BYTES = 1_024;
const PAGE_BYTES = 65_536;

/** As far as it is used: the types of Node.js do not have it. */
declare const WebAssembly: { Memory: new (size: { initial: number }) => WasmMemory } | undefined;

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
}

export interface Weights extends Lexicon {
  buckets: number;
  /** Check values, BUCKET_SLOTS for each bucket; 0 marks a free slot. */
  checks: Uint16Array;
  /** LABEL_COUNT weights for each slot, in units of `scale`. */
  values: Int8Array;
  scale: number;
  /** [step][from][to], natural logarithms. */
  transitions: Float32Array;
  /** What holds all of that, where WebAssembly can read it. */
  memory?: WasmMemory;
}

/** Header: magic, format, buckets, slots of the word lists (all uint32), scale (float32), slots and paths of the clusters. Little-endian. */
export function readWeights(bytes: Uint8Array): Weights {
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  const header = new DataView(buffer, byteOffset, HEADER_BYTES);
  if (header.getUint32(0, true) !== MAGIC || header.getUint32(4, true) !== FORMAT) {
    throw new Error('The file of the name model has an unknown format; run the training again.');
  }
  const buckets = header.getUint32(8, true);
  const listSlots = header.getUint32(12, true);
  let at = byteOffset + HEADER_BYTES;
  const transitions = new Float32Array(buffer, at, TRANSITION_COUNT);
  at += transitions.byteLength;
  const checks = new Uint16Array(buffer, at, buckets * BUCKET_SLOTS);
  at += checks.byteLength;
  const listChecks = new Uint16Array(buffer, at, listSlots);
  at += listChecks.byteLength;
  const listFlags = new Uint16Array(buffer, at, listSlots);
  at += listFlags.byteLength;
  const clusterSlots = header.getUint32(20, true);
  const clusterParts = [0, 1, 2].map(() => {
    const part = new Uint16Array(buffer, at, clusterSlots);
    at += part.byteLength;
    return part;
  });
  const paths = new Int32Array(buffer, at, header.getUint32(24, true));
  at += paths.byteLength;
  const clusters = new WordClusters(clusterParts[0]!, clusterParts[1]!, clusterParts[2]!, paths);
  const values = new Int8Array(buffer, at, buckets * BUCKET_SLOTS * LABEL_COUNT);
  const gazetteer = new Gazetteer(listChecks, listFlags);
  return { buckets, checks, values, scale: header.getFloat32(16, true), transitions, gazetteer, clusters };
}

let loaded: Weights | undefined;

/** The model beside this file, read once by the process. */
export function loadWeights(): Weights {
  loaded ??= readModel(new URL('./names.bin', import.meta.url));
  return loaded;
}

function readModel(file: URL): Weights {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const memory = openMemory(FREE_BYTES + size);
    const bytes =
      memory === undefined ? new Uint8Array(size) : new Uint8Array(memory.buffer, FREE_BYTES, size);
    for (let at = 0; at < size; ) at += readSync(descriptor, bytes, at, size - at, null);
    return { ...readWeights(bytes), memory };
  } finally {
    closeSync(descriptor);
  }
}

/** Undefined where the options of Node.js do not allow it. */
function openMemory(bytes: number): WasmMemory | undefined {
  if (typeof WebAssembly === 'undefined') return undefined;
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES) });
}

export function bucketOf(feature: number, buckets: number): number {
  return ((feature >>> 16) * buckets) >>> 16;
}

export function featureCheck(feature: number): number {
  return feature & 0xffff || 1;
}
