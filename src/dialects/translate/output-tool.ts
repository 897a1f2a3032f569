import {
  type Answer,
  type Choice,
  type NeutralRequest,
  type StreamEvent,
  withChoices,
} from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import {
  isJsonObject,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  memberText,
} from '../../core/json.js';
import type { OutputSchema, Part, ToolChoice, ToolDefinition } from '../../core/message.js';
import type { RenderTarget } from '../dialect.js';
import { extendArray } from '../wire/splice.js';

/*
 * Structured output for a model that lacks it but can call tools: the schema becomes a tool that the model must call,
 * and the arguments of the call become the text of the answer.
 */

const OUTPUT_TOOL = 'give_answer';

/** A name that none of the client's tools has. */
export function outputToolName(tools: JsonValue | undefined): string {
  const taken = JSON.stringify(tools ?? null);
  let name = OUTPUT_TOOL;
  for (let number = 2; taken.includes(`"${name}"`); number++) name = `${OUTPUT_TOOL}_${number}`;
  return name;
}

/** Tool arguments are always an object, so another schema goes into the prompt. */
export function resolveOutputSchema(target: RenderTarget, output: OutputSchema | undefined): RenderTarget {
  if (typeof target.outputSchema !== 'object' || output === undefined || isObjectSchema(output))
    return target;
  return { ...target, outputSchema: 'prompt' };
}

function isObjectSchema({ schema }: OutputSchema): boolean {
  return isJsonObject(schema) && schema.type === 'object';
}

/** The schema's tool; undefined where the schema does not become a tool. */
export function outputTool(
  { outputSchema: way }: RenderTarget,
  output: OutputSchema | undefined,
): ToolDefinition | undefined {
  if (typeof way !== 'object' || output === undefined) return undefined;
  const description = output.description ?? 'Gives the answer. Call it once the answer is known.';
  return { name: way.tool, description, parameters: output.schema as JsonObject };
}

/** The tool choice when the tool is present: other tools may still be called before it. */
export function outputToolChoice(
  name: string,
  hasTools: boolean,
  choice: ToolChoice['type'] | undefined,
): ToolChoice | undefined {
  if (!hasTools || choice === 'none') return { type: 'tool', name };
  return choice === 'tool' ? undefined : { type: 'required' };
}

/** The request with the tool, where the target needs it. */
export function withOutputTool(request: NeutralRequest, target: RenderTarget): NeutralRequest {
  const { outputSchema: output, tools = [], toolChoice, ...rest } = request;
  const tool = outputTool(target, output);
  if (tool === undefined) return request;
  const choice = outputToolChoice(tool.name, tools.length > 0, toolChoice?.type) ?? toolChoice;
  return { tools: [...tools, tool], toolChoice: choice, ...rest };
}

/** The form of `tool_choice` in OpenAI's APIs. */
export function openaiChoiceType(choice: JsonValue | undefined): ToolChoice['type'] | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  return isJsonObject(choice) ? 'tool' : undefined;
}

interface ToolWords {
  tool: ToolDefinition;
  writeTool: (tool: ToolDefinition) => JsonObject;
  writeChoice: (choice: ToolChoice) => JsonValue | undefined;
}

/** The new JSON texts of `tools` and `tool_choice`, in the form of their API. */
export function editOutputTool(
  document: JsonDocument,
  { tool, writeTool, writeChoice }: ToolWords,
  own: ToolChoice['type'] | undefined,
): Map<string, string> {
  const { tools } = document.value;
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const old = hasTools ? memberText(document.text, 'tools')! : '[]';
  const changes = new Map([['tools', extendArray(old, [], [JSON.stringify(writeTool(tool))])]]);
  const choice = outputToolChoice(tool.name, hasTools, own);
  if (choice !== undefined) changes.set('tool_choice', JSON.stringify(writeChoice(choice)));
  return changes;
}

type ToolCall = Extract<Part, { type: 'tool-call' }>;

/** The answer with the tool's arguments as its text. Other text is dropped. */
export function answerFromOutputTool(answer: Answer, name: string): Answer {
  return withChoices(
    answer,
    answer.choices.map((choice) => choiceFromOutputTool(choice, name)),
  );
}

function choiceFromOutputTool(choice: Choice, name: string): Choice {
  const isOutputCall = (part: Part): part is ToolCall => part.type === 'tool-call' && part.name === name;
  if (!choice.parts.some(isOutputCall)) return choice;
  const parts = choice.parts.flatMap((part): Part[] => {
    if (isOutputCall(part)) return [{ type: 'text', text: part.arguments }];
    return part.type === 'text' ? [] : [part];
  });
  const calls = parts.some((part) => part.type === 'tool-call');
  const ended = choice.finishReason === 'tool-calls' && !calls;
  return { ...choice, parts, finishReason: ended ? 'stop' : choice.finishReason };
}

/** Does the same for a stream. Text is held back, because a call that replaces it may follow. */
export function createOutputToolReader(name: string): (event: StreamEvent) => StreamEvent[] {
  const outputs = new Set<string>();
  const otherCalls = new Set<number>();
  let waiting: StreamEvent[] = [];

  function onOutput(event: StreamEvent & { type: 'delta' | 'part-end' }): StreamEvent {
    return { ...event, channel: { ...event.channel, kind: 'text' } };
  }

  return (event) => {
    switch (event.type) {
      case 'tool-call-start':
        if (event.name === name) {
          outputs.add(`${event.channel.choice}/${event.channel.part}`);
          waiting = waiting.filter((kept) => !isTextOf(kept, event.channel.choice));
          return [];
        }
        otherCalls.add(event.channel.choice);
        return [event];
      case 'delta':
      case 'part-end': {
        const { kind, choice, part } = event.channel;
        if (kind === 'tool-arguments' && outputs.has(`${choice}/${part}`)) return [onOutput(event)];
        if (kind !== 'text') return [event];
        if (![...outputs].some((key) => key.startsWith(`${choice}/`))) waiting.push(event);
        return [];
      }
      case 'finish': {
        const ready = waiting.filter((kept) => isTextOf(kept, event.choice));
        waiting = waiting.filter((kept) => !isTextOf(kept, event.choice));
        const given = [...outputs].some((key) => key.startsWith(`${event.choice}/`));
        const ended = given && event.reason === 'tool-calls' && !otherCalls.has(event.choice);
        return [...ready, ended ? { ...event, reason: 'stop' } : event];
      }
      case 'start':
      case 'signature':
      case 'usage':
      case 'error':
      case 'end':
        return [event];
      default:
        return assertNever(event);
    }
  };
}

function isTextOf(event: StreamEvent, choice: number): boolean {
  return 'channel' in event && event.channel.kind === 'text' && event.channel.choice === choice;
}
