import type { JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { Dialect } from '../dialect.js';
import { withLogId } from '../wire/frames.js';
import type { PlacedParts } from './fields.js';
import { writeTexts } from './guarded-requests.js';

/**
 * Creates the `adaptAnswer` of a dialect. `read` returns the texts of each choice in the body of an answer, with
 * their places.
 */
export function answerAdapter(
  read: (body: JsonObject) => Steps<readonly PlacedParts[]>,
): Dialect['adaptAnswer'] {
  return function* adaptAnswer(document, extras, answer) {
    const changed =
      answer === undefined
        ? document
        : yield* writeTexts(document, yield* read(document.value), answer.choices);
    return yield* withLogId(changed, extras.logId);
  };
}
