import type { JsonObject } from '../../core/json.js';
import { ConfigMistake } from '../contract/config-mistake.js';
import type { StandInStyle } from '../stand-ins/choose-stand-ins.js';
import type { GuardSettings } from './guard-functions.js';

/**
 * The configuration that all text guards share. `styles` are the kinds of masks that are replaced by the value again
 * in the answer.
 */
export function guardProperties(
  rejectionMessage: string,
  styles: readonly StandInStyle[] = ['reversible'],
): JsonObject {
  return {
    reject_on_detection: {
      description:
        'Whether a finding rejects the request or answer. Where false it goes on and the log has the findings.',
      type: 'boolean',
      default: true,
    },
    rejection_message: {
      description: 'What the client reads when it is rejected.',
      type: 'string',
      minLength: 1,
      maxLength: 4_000,
      default: rejectionMessage,
    },
    mask: {
      description: `Whether findings go on as <TYPE>. Needs reject_on_detection: false. reversible: as <TYPE_1>, and what the model says of them is put back for the client.${
        styles.includes('surrogate') ? ' surrogate: the same with well-formed stand-ins.' : ''
      }`,
      enum: [false, true, ...styles],
      default: false,
    },
    read_files: {
      description:
        'Whether the text of files in requests is read: PDF, Word, Excel, PowerPoint, OpenDocument, HTML and mail, in base64. What is found in one rejects the request where mask is set, since a file cannot be masked. A file that cannot be read is an error of the guard.',
      type: 'boolean',
      default: false,
    },
  };
}

/** Throws a `ConfigMistake` for settings that contradict each other. */
export function checkGuard({ mask, reject_on_detection }: GuardSettings): void {
  if (mask && reject_on_detection) {
    throw new ConfigMistake(
      '/mask',
      'needs reject_on_detection: false, since what is rejected cannot go on masked',
    );
  }
}
