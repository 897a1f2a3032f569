import type { LeftOut } from '../../core/answer.js';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '../../core/json.js';
import type { ToolDefinition } from '../../core/message.js';
import { RUNS_ELSEWHERE } from '../translate/carried-tools.js';
import { freeformInput, freeformTool } from '../translate/freeform.js';
import { asArray, asBoolean, asObject, asObjects, asString, dropUndefined } from '../wire/values.js';

/*
 * The tools that a client of this API runs itself: functions, also those in a namespace, tools that take any text,
 * and the local shell. Other APIs know only functions, which have one name. When a call goes back to the client, the
 * names are read from the request again, so nothing has to be remembered.
 */

interface ClientTool {
  kind: 'function' | 'custom' | 'local_shell';
  name: string;
  namespace?: string;
  /** The tool in the form that another API gets, with its flat name. */
  definition: ToolDefinition;
}

const LOCAL_SHELL = 'local_shell';

const SHELL_TOOL: ToolDefinition = {
  name: LOCAL_SHELL,
  description: 'Runs a command on the computer of the user, and gives what it printed.',
  parameters: {
    type: 'object',
    properties: {
      command: { type: 'array', items: { type: 'string' }, description: 'The program and its arguments.' },
      working_directory: { type: 'string' },
      timeout_ms: { type: 'integer' },
    },
    required: ['command'],
  },
};

/** The name of a function with its namespace in front, for APIs without namespaces. */
export function flatName(name: string, namespace: string | undefined): string {
  if (!namespace) return name;
  return namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`;
}

export function readClientTools(tools: JsonValue | undefined): { tools: ClientTool[]; leftOut: LeftOut[] } {
  const read: ClientTool[] = [];
  const leftOut: LeftOut[] = [];
  function take(list: JsonValue | undefined, path: string, namespace: string | undefined): void {
    for (const [index, tool] of asArray(list).entries()) {
      if (!isJsonObject(tool)) continue;
      const at = `${path}[${index}]`;
      if (tool.type === 'namespace' && namespace === undefined) {
        take(tool.tools, `${at}.tools`, asString(tool.name) ?? '');
        continue;
      }
      const known = readTool(tool, namespace);
      if (known !== undefined) read.push(known);
      else leftOut.push({ path: at, what: asString(tool.type) ?? 'unknown', why: RUNS_ELSEWHERE });
    }
  }
  take(tools, 'tools', undefined);
  return { tools: read, leftOut };
}

function readTool(tool: JsonObject, namespace: string | undefined): ClientTool | undefined {
  const name = asString(tool.name) ?? '';
  const flat = flatName(name, namespace);
  const inside = namespace === undefined ? {} : { namespace };
  switch (tool.type) {
    case 'function':
      return { kind: 'function', name, ...inside, definition: { ...readFunction(tool), name: flat } };
    case 'custom': {
      const definition = freeformTool(flat, asString(tool.description), asObject(tool.format));
      return { kind: 'custom', name, ...inside, definition };
    }
    case LOCAL_SHELL:
      return { kind: LOCAL_SHELL, name: LOCAL_SHELL, definition: SHELL_TOOL };
    default:
      // Another kind of tool runs at the provider, or only this API knows it.
      return undefined;
  }
}

/** One function, as a request defines it. */
export function readFunction(tool: JsonObject): ToolDefinition {
  return dropUndefined<ToolDefinition>({
    name: asString(tool.name) ?? '',
    description: asString(tool.description),
    parameters: asObject(tool.parameters),
    strict: asBoolean(tool.strict),
  });
}

/** A call, to be written as an item of this API. */
export interface CallToWrite {
  id: string;
  name: string;
  arguments: string;
  freeform?: true;
}

/** The tools of a request by their flat names, for the calls that go back to its client. */
export class CallNames {
  readonly #tools: ReadonlyMap<string, ClientTool>;

  constructor(request: JsonValue | undefined) {
    const tools = asObjects(asObject(request)?.tools);
    // Plain functions need no translation of their names.
    const isPlain = tools.every(({ type }) => type === 'function');
    const read = isPlain ? [] : readClientTools(tools).tools;
    this.#tools = new Map(read.map((tool) => [tool.definition.name, tool]));
  }

  /** The kind of item that a call of this tool becomes. */
  kindOf(call: Pick<CallToWrite, 'name' | 'freeform'>): ClientTool['kind'] {
    return this.#tools.get(call.name)?.kind ?? (call.freeform ? 'custom' : 'function');
  }

  /** The item of a call, whose arguments may not be complete yet. */
  writeItem(id: string, call: CallToWrite, status: string): JsonObject {
    const tool = this.#tools.get(call.name);
    const namespace: JsonObject = tool?.namespace === undefined ? {} : { namespace: tool.namespace };
    const call_id = call.id;
    const name = tool?.name ?? call.name;
    switch (this.kindOf(call)) {
      case 'custom':
        return {
          id,
          type: 'custom_tool_call',
          status,
          call_id,
          name,
          ...namespace,
          input: freeformInput(call),
        };
      case LOCAL_SHELL:
        return { id, type: 'local_shell_call', status, call_id, action: shellAction(call.arguments) };
      case 'function':
        return {
          id,
          type: 'function_call',
          status,
          call_id,
          name,
          ...namespace,
          arguments: call.arguments,
        };
      default:
        throw new Error('A tool of no known kind.');
    }
  }
}

function shellAction(text: string): JsonObject {
  const given = parseJson(text);
  const { command, ...rest } = isJsonObject(given) ? given : { command: null };
  const words = typeof command === 'string' ? ['bash', '-lc', command] : asArray(command);
  return { type: 'exec', env: {}, ...rest, command: words };
}
