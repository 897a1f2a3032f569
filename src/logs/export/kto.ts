import type { JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import { labelOf } from '../score.js';
import { answerOf, conversationOf } from './conversation.js';
import { provenanceOf } from './provenance.js';
import type { RatedLog } from './rated-log.js';
import { toTrlMessages, toTrlTools } from './trl.js';

/** An answer, and whether it was good. Undefined where nobody rated it. */
export function* ktoLine(log: RatedLog): Steps<JsonObject | undefined> {
  const label = labelOf(log.record);
  const answer = label === undefined ? undefined : yield* answerOf(log.record);
  const conversation = answer && (yield* conversationOf(log.record));
  if (label === undefined || !answer || !conversation) return undefined;
  return {
    prompt: toTrlMessages(conversation.messages),
    completion: toTrlMessages([answer]),
    label,
    ...toTrlTools(conversation),
    provenance: provenanceOf(log),
  };
}
