import { SluiceError } from '../core/errors.js';
import type { JsonValue } from '../core/json.js';
import type { OfferedTools, OutputSchema, ToolDefinition } from '../core/message.js';
import type { OutputValidation, PreparedSchema } from './validation.js';

/** What the answer to one request must satisfy. */
export interface OutputContract {
  /** The schema for the text of the answer, where the client asked for JSON. */
  output?: PreparedSchema;
  /** The schemas for the arguments of calls, by the name of the tool. */
  tools: ReadonlyMap<string, PreparedSchema>;
  /** The tools of which one must be called; empty where no call is required. */
  mustCall: readonly string[];
  /** All schemas of the contract. */
  schemas: JsonValue[];
}

/** What a request says about its output. */
export interface WantedOutput {
  outputSchema?: OutputSchema;
  /** The client asked for JSON without a schema: an object, or any value. */
  outputJson?: 'object' | 'any';
  /** The offered tools; absent where arguments are not validated. */
  tools?: OfferedTools;
  /** Whether the arguments of all tools are validated, and not only those of forced or strict ones. */
  allTools?: boolean;
}

/** The most tools, because more would keep the compiler busy for long. */
const MOST_TOOLS = 256;
const ANY_OBJECT = { type: 'object' };

/**
 * Compiles the contract of a request. Undefined where the request asks for nothing that can be validated. Throws
 * `invalid_json_schema`.
 */
export async function prepareContract(
  validation: OutputValidation,
  wanted: WantedOutput,
): Promise<OutputContract | undefined> {
  const outputSchema = wanted.outputSchema?.schema ?? jsonSchema(wanted.outputJson);
  const checked = checkedTools(wanted);
  const mustCall = wanted.tools?.mustCallOne ? wanted.tools.forced : [];
  if (outputSchema === undefined && checked.length === 0 && mustCall.length === 0) return undefined;
  if (checked.length > MOST_TOOLS) {
    const message = `There are ${checked.length} tools whose arguments must be checked; the limit is ${MOST_TOOLS}.`;
    throw new SluiceError('invalid_json_schema', message, { param: 'tools' });
  }
  const output = outputSchema === undefined ? undefined : await validation.prepare(outputSchema);
  const tools = new Map<string, PreparedSchema>();
  for (const tool of checked) tools.set(tool.name, await prepareTool(validation, tool));
  const schemas = [outputSchema ?? true, ...checked.map(argumentsSchema)];
  return { output, tools, mustCall, schemas };
}

function jsonSchema(kind: WantedOutput['outputJson']): JsonValue | undefined {
  return kind === 'any' ? true : kind && ANY_OBJECT;
}

function checkedTools({ tools, allTools }: WantedOutput): ToolDefinition[] {
  if (tools === undefined) return [];
  return tools.tools.filter(({ name, strict }) => allTools || strict || tools.forced.includes(name));
}

/** The schema for the arguments of a tool. A tool without one still accepts only an object. */
function argumentsSchema({ parameters }: ToolDefinition): JsonValue {
  return parameters ?? ANY_OBJECT;
}

async function prepareTool(validation: OutputValidation, tool: ToolDefinition): Promise<PreparedSchema> {
  try {
    return await validation.prepare(argumentsSchema(tool));
  } catch (error) {
    if (!(error instanceof SluiceError) || error.code !== 'invalid_json_schema') throw error;
    const { details } = error;
    throw new SluiceError(error.code, `The tool "${tool.name}": ${error.message}`, {
      param: 'tools',
      details,
    });
  }
}
