import type { NeutralRequest, ReasoningEffort } from '../../core/answer.js';
import type { JsonDocument, JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RequestView } from '../dialect.js';
import { carriedMessages } from '../translate/carried-messages.js';
import { carriedTools } from '../translate/carried-tools.js';
import { readEffort } from '../translate/reasoning.js';
import { refuseUntranslatable } from '../translate/unsupported.js';
import { asNumber, asObject, asString, dropUndefined } from '../wire/values.js';
import { memberOf } from './names.js';
import { conversationMessages, generationConfig } from './parse.js';
import { readTools } from './tools.js';

export function* toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  const body = document.value;
  const leftOut = refuseUntranslatable(body, 'gemini.generate');
  const messages = carriedMessages(yield* conversationMessages(body), leftOut);
  const tools = readTools(body);
  append(leftOut, tools.leftOut);
  const config = generationConfig(body);
  const number = (name: string) => asNumber(memberOf(config, name));
  const stop = memberOf(config, 'stopSequences');
  return dropUndefined<NeutralRequest>({
    messages,
    stream: view.stream,
    streamUsage: true,
    maxOutputTokens: number('maxOutputTokens'),
    temperature: number('temperature'),
    topP: number('topP'),
    topK: number('topK'),
    frequencyPenalty: number('frequencyPenalty'),
    presencePenalty: number('presencePenalty'),
    seed: number('seed'),
    stop: Array.isArray(stop) ? (stop as string[]) : undefined,
    choiceCount: number('candidateCount'),
    ...carriedTools(tools),
    outputSchema: view.outputSchema,
    outputJson: view.outputJson && true,
    reasoning: readReasoning(config),
    leftOut: leftOut.length === 0 ? undefined : leftOut,
  });
}

/** A budget of 0 means no thinking, and -1 lets the model decide. */
function readReasoning(config: JsonObject | undefined): NeutralRequest['reasoning'] {
  const thinking = asObject(memberOf(config, 'thinkingConfig'));
  const budget = asNumber(memberOf(thinking, 'thinkingBudget'));
  const effort: ReasoningEffort | undefined =
    budget === 0 ? 'none' : readEffort(asString(memberOf(thinking, 'thinkingLevel'))?.toLowerCase());
  const budgetTokens = budget !== undefined && budget > 0 ? budget : undefined;
  return effort === undefined && budgetTokens === undefined
    ? undefined
    : dropUndefined({ effort, budgetTokens });
}
