import type { JsonObject } from '../../core/json.js';
import { ConfigMistake } from '../contract/config-mistake.js';
import type { StandInStyle } from '../stand-ins/choose-stand-ins.js';
import type { GuardSettings } from './prepared-guard.js';

/**
 * The configuration that all text guards share. `styles` are the values of `mask` whose stand-ins are replaced by the
 * original values again in the answer.
 */
export function guardProperties(
  rejectionMessage: string,
  styles: readonly StandInStyle[] = ['reversible'],
): JsonObject {
  return {
    reject_on_detection: {
      description:
        'Whether a finding rejects the request or answer. If false, it passes, and the log has the findings.',
      type: 'boolean',
      default: true,
    },
    rejection_message: {
      description: 'The message that the client gets when the request is rejected.',
      type: 'string',
      minLength: 1,
      maxLength: 4_000,
      default: rejectionMessage,
    },
    mask: {
      description: `Whether findings are replaced by <TYPE>. Needs reject_on_detection: false. reversible: by <TYPE_1>, and the client gets the values back in the answer.${
        styles.includes('surrogate') ? ' surrogate: the same, with invented values of the same form.' : ''
      }`,
      enum: [false, true, ...styles],
      default: false,
    },
    read_files: {
      description:
        'Whether the text of files in requests is read: PDF, Word, Excel, PowerPoint, OpenDocument, HTML and mail, in base64. A finding in a file rejects the request even if mask is set, because a file cannot be masked. A file that cannot be read counts as a failure of the guard.',
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
      'needs reject_on_detection: false, because a request that is rejected is not masked',
    );
  }
}
