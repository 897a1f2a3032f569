/** The APIs that the playground speaks. */
export const APIS = ['openai.chat', 'openai.responses', 'anthropic.messages'] as const;
export type ApiName = (typeof APIS)[number];

export interface Turn {
  role: 'user' | 'assistant';
  text: string;
  /** Pictures that are sent with the text, as `data:` URLs. */
  images: string[];
}

export interface Asked {
  api: ApiName;
  endpoint: string;
  system: string;
  /** The conversation. Its last turn is the new message of the user. */
  turns: Turn[];
  stream: boolean;
  temperature: number | undefined;
  maxTokens: number | undefined;
  /** Tools, each as `{"name", "description", "parameters"}`, as in Chat Completions. */
  tools: Tool[];
  schema: Record<string, unknown> | undefined;
  metadata: Record<string, unknown> | undefined;
}

export interface Tool {
  name: string;
  description?: string;
  parameters?: unknown;
}

/** Anthropic's API requires this limit; the others have a default. */
const MAX_TOKENS = 1024;

/** The request body in the form of the chosen API. */
export function requestOf(asked: Asked): Record<string, unknown> {
  const { api, endpoint, stream, metadata, temperature } = asked;
  const common = {
    model: endpoint,
    stream,
    ...(temperature === undefined ? {} : { temperature }),
    ...(metadata ? { metadata } : {}),
  };
  switch (api) {
    case 'openai.chat':
      return { ...common, ...chatRequest(asked) };
    case 'openai.responses':
      return { ...common, ...responsesRequest(asked) };
    case 'anthropic.messages':
      return { ...common, ...messagesRequest(asked) };
  }
}

function chatRequest({ system, turns, maxTokens, tools, schema }: Asked) {
  const content = ({ text, images }: Turn) =>
    images.length === 0
      ? text
      : [{ type: 'text', text }, ...images.map((url) => ({ type: 'image_url', image_url: { url } }))];
  return {
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...turns.map((turn) => ({ role: turn.role, content: content(turn) })),
    ],
    ...(maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', function: tool })) }),
    ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }),
  };
}

function responsesRequest({ system, turns, maxTokens, tools, schema }: Asked) {
  const content = ({ role, text, images }: Turn) => [
    { type: role === 'user' ? 'input_text' : 'output_text', text },
    ...images.map((url) => ({ type: 'input_image', image_url: url })),
  ];
  return {
    input: turns.map((turn) => ({ role: turn.role, content: content(turn) })),
    ...(system === '' ? {} : { instructions: system }),
    ...(maxTokens === undefined ? {} : { max_output_tokens: maxTokens }),
    ...(tools.length === 0 ? {} : { tools: tools.map((tool) => ({ type: 'function', ...tool })) }),
    ...(schema && { text: { format: { type: 'json_schema', name: 'answer', schema } } }),
  };
}

function messagesRequest({ system, turns, maxTokens = MAX_TOKENS, tools, schema }: Asked) {
  const content = ({ text, images }: Turn) =>
    images.length === 0 ? text : [...images.map(imageBlock), { type: 'text', text }];
  return {
    max_tokens: maxTokens,
    messages: turns.map((turn) => ({ role: turn.role, content: content(turn) })),
    ...(system === '' ? {} : { system }),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            input_schema: parameters ?? { type: 'object' },
          })),
        }),
    ...(schema && { output_config: { format: { type: 'json_schema', schema } } }),
  };
}

function imageBlock(url: string) {
  const [, media_type = '', data = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return { type: 'image', source: { type: 'base64', media_type, data } };
}

/** Reads tools that a person wrote as a JSON list. */
export function readTools(text: string): { tools: Tool[] } | { error: string } {
  if (text.trim() === '') return { tools: [] };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { error: 'This is not valid JSON yet.' };
  }
  const isTool = (one: unknown): one is Tool =>
    typeof one === 'object' && one !== null && typeof (one as Tool).name === 'string';
  if (!Array.isArray(value) || !value.every(isTool)) {
    return { error: 'Write a list of tools, each with a name: [{"name": "find", "parameters": {…}}].' };
  }
  return { tools: value };
}
