import type { LeftOut } from '../../core/answer.js';
import type { ToolChoice, ToolDefinition } from '../../core/message.js';
import { refuseTranslation } from '../wire/check.js';

/** The tools of a request, as its dialect has read them. */
export interface GivenTools {
  /** The tools that the client runs. */
  tools: ToolDefinition[];
  /** The tools that the provider runs. */
  leftOut: LeftOut[];
  choice?: ToolChoice;
  /** The names of tools that may be called, where the choice lists them. */
  allowed?: readonly string[];
}

/** Why a tool is left out. */
export const RUNS_ELSEWHERE = 'only its own API can run it';

/**
 * The tools and the choice among them for a provider of another API. Tools that only their own API can run are left
 * out. Throws `invalid_request` where the model would be made to call one of them.
 */
export function carriedTools({ tools, leftOut, choice, allowed }: GivenTools): {
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
} {
  const usable = allowed === undefined ? tools : tools.filter(({ name }) => allowed.includes(name));
  if (choice?.type === 'required' && usable.length === 0 && leftOut.length > 0) {
    refuseTranslation(leftOut[0]!.path, `${RUNS_ELSEWHERE}, and the request has no other tool`);
  }
  if (usable.length === 0) return {};
  return choice === undefined ? { tools: usable } : { tools: usable, toolChoice: choice };
}
