import type { OfferedTools, ToolChoice, ToolDefinition } from '../../core/message.js';

/**
 * What a request says about its tools. `others`: it also has tools of another kind. `allowed`: the names that may be
 * called, where the choice lists them.
 */
export function offeredTools(
  tools: ToolDefinition[],
  others: boolean,
  choice: ToolChoice | undefined,
  allowed: readonly string[] = tools.map(({ name }) => name),
): OfferedTools {
  if (choice?.type === 'tool') return { tools, forced: [choice.name], mustCallOne: true };
  if (choice?.type === 'required') return { tools, forced: [...allowed], mustCallOne: !others };
  return { tools, forced: [], mustCallOne: false };
}
