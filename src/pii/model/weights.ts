/**
 * The trained file: a hash table of feature weights and the word lists, as typed-array views on the bytes that
 * were read. Features sit in buckets of eight slots, each found by a 16-bit check value, so that a feature that
 * training did not keep costs one short look and adds nothing.
 */
import { readFileSync } from 'node:fs';
import { Gazetteer } from './gazetteer.js';
import { LABEL_COUNT } from './labels.js';
import { STEP_COUNT } from './sentence.js';

export const BUCKET_SLOTS = 8;
export const MAGIC = 0x504e4c53;
export const FORMAT = 1;
export const HEADER_BYTES = 32;
export const TRANSITION_COUNT = STEP_COUNT * LABEL_COUNT * LABEL_COUNT;

export interface Weights {
  buckets: number;
  /** Check values, BUCKET_SLOTS for each bucket; 0 marks a free slot. */
  checks: Uint16Array;
  /** LABEL_COUNT weights for each slot, in units of `scale`. */
  values: Int8Array;
  scale: number;
  /** [step][from][to], natural logarithms. */
  transitions: Float32Array;
  gazetteer: Gazetteer;
}

/** Header: magic, format, buckets, slots of the word lists (all uint32), scale (float32). Little-endian. */
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
  const values = new Int8Array(buffer, at, buckets * BUCKET_SLOTS * LABEL_COUNT);
  const gazetteer = new Gazetteer(listChecks, listFlags);
  return { buckets, checks, values, scale: header.getFloat32(16, true), transitions, gazetteer };
}

let loaded: Weights | undefined;

/** The model beside this file, read once by the process. */
export function loadWeights(): Weights {
  loaded ??= readWeights(readFileSync(new URL('./names.bin', import.meta.url)));
  return loaded;
}

export function bucketOf(feature: number, buckets: number): number {
  return ((feature >>> 16) * buckets) >>> 16;
}

export function featureCheck(feature: number): number {
  return feature & 0xffff || 1;
}
