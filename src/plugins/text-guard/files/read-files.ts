import type { Choice } from '../../../core/answer.js';
import type { Message } from '../../../core/message.js';
import { inTurns } from '../../../core/pacing/steps.js';
import type { PlacedText } from '../../helpers/texts.js';
import { filesIn } from './document-parts.js';

const MAY_HOLD_FILES = new Set(['document', 'image', 'other', 'tool-result']);

/**
 * The texts of the files in messages; undefined where there are no files. Throws `NotSeen` for a file that cannot be
 * read. The thread that reads files starts, and loads its libraries, with the first file.
 */
export function readFiles(holders: readonly (Message | Choice)[]): Promise<PlacedText[]> | undefined {
  const mayHold = holders.some(({ parts }) => parts.some(({ type }) => MAY_HOLD_FILES.has(type)));
  return mayHold ? read(holders) : undefined;
}

async function read(holders: readonly (Message | Choice)[]): Promise<PlacedText[]> {
  const files = await inTurns(filesIn(holders));
  if (files.length === 0) return [];
  const { fileReader } = await import('./file-reader.js');
  return Promise.all(
    files.map(async ({ place, bytes }) => ({ place, text: await fileReader.textOf(bytes) })),
  );
}
