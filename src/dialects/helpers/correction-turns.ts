import type { JsonObject, JsonValue } from '../../core/json.js';
import type { RenderTarget } from '../dialect.js';
import { extendArray, extendString, spliceValues } from '../wire/splice.js';
import { asArray, asObject } from './fields.js';
import { correctionPrompt } from './prompts.js';

/*
 * Turns of the form `{"role", "content"}`, as most APIs have them.
 */

/** The turns that tell a model what was wrong with its answer; none without a correction. */
export function correctionTurns(correction: RenderTarget['correction']): JsonObject[] {
  if (correction === undefined) return [];
  return [
    { role: 'assistant', content: correction.answer },
    { role: 'user', content: correctionPrompt(correction.problem) },
  ];
}

/**
 * The text of a list of turns with a prompt and a correction put in, or undefined where both are absent. Some
 * models take one system message only, so the prompt goes to the end of the one that is there.
 */
export function extendTurns(
  text: string,
  turns: JsonValue | undefined,
  prompt: string | undefined,
  correction: RenderTarget['correction'],
): string | undefined {
  if (prompt === undefined && correction === undefined) return undefined;
  const after = correctionTurns(correction).map((turn) => JSON.stringify(turn));
  if (prompt === undefined) return extendArray(text, [], after);
  const role = asObject(asArray(turns)[0])?.role;
  if (role === 'system' || role === 'developer') return extendArray(extendSystem(text, prompt), [], after);
  return extendArray(text, [JSON.stringify({ role: 'system', content: prompt })], after);
}

function extendSystem(turns: string, prompt: string): string {
  const part = JSON.stringify({ type: 'text', text: prompt });
  const write = (old: string) =>
    old.startsWith('[') ? extendArray(old, [], [part]) : extendString(old, `\n\n${prompt}`);
  return spliceValues(turns, [{ path: [0, 'content'], write }]);
}
