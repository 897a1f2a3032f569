import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SegmentWriter } from '../../../src/spool/segment-writer.js';
import { inTemporaryDirectory } from '../../properties/spool-support.js';

const A = Buffer.from('a'.repeat(1_000));
const B = Buffer.from('b'.repeat(2_000));

/** A writer on a file of its own, and what the file holds. */
function withWriter(use: (writer: SegmentWriter, content: () => Promise<string>) => Promise<void>) {
  return inTemporaryDirectory(async (directory) => {
    const path = join(directory, 'segment');
    const writer = await SegmentWriter.create(path);
    await use(writer, () => readFile(path, 'latin1'));
  });
}

describe('a write to the spool', () => {
  it('is made at once, with all frames one after another', () =>
    withWriter(async (writer, content) => {
      expect(writer.append([A, B], false)).toBe(3_000);
      expect(writer.append([A], false)).toBe(1_000);
      expect(writer.unsynced).toBe(true);
      expect(await content()).toBe(`${A}${B}${A}`);
      await writer.close();
    }));

  it('does not wait in the event loop for a sync that is asked for, or under way', () =>
    withWriter(async (writer, content) => {
      const synced = writer.append([A], true);
      expect(synced).toBeInstanceOf(Promise);
      expect(await synced).toBe(1_000);
      expect(writer.unsynced).toBe(false);
      writer.append([A], false);
      const syncing = writer.sync();
      const beside = writer.append([B], false);
      expect(beside).toBeInstanceOf(Promise);
      await Promise.all([syncing, beside]);
      expect(writer.append([A], false)).toBe(1_000);
      expect(await content()).toBe(`${A}${A}${B}${A}`);
      await writer.close();
    }));

  it('of large amounts is left to another thread', () =>
    withWriter(async (writer, content) => {
      const much = Buffer.alloc(300 * 1024, 'm');
      const written = writer.append([much], false);
      expect(written).toBeInstanceOf(Promise);
      expect(await written).toBe(much.length);
      expect(await content()).toBe(much.toString('latin1'));
      await writer.close();
    }));

  it('that fails reports why', () =>
    withWriter(async (writer) => {
      await writer.close();
      await expect(writer.append([A], false)).rejects.toThrow(/EBADF|closed/);
    }));
});
