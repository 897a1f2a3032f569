import type { JsonObject } from '../../core/json.js';
import { ConfigMistake } from '../host/config-mistake.js';
import type { GuardSettings } from './guard-functions.js';

/** The members of the configuration that all guards of texts share. */
export function guardProperties(rejectionMessage: string): JsonObject {
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
      description: 'Whether findings go on as <TYPE>. Needs reject_on_detection: false.',
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
