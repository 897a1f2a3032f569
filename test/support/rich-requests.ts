import type { ConversationId } from '../../src/core/dialect-ids.js';
import type { JsonObject } from '../../src/core/json.js';

/** A request of each API with members of all kinds that the fixtures lack. */
export const RICH_REQUESTS: Record<ConversationId, JsonObject> = {
  'gemini.generate': {
    system_instruction: { parts: [{ text: 'a' }] },
    contents: [
      {
        role: 'user',
        parts: [
          { text: 'a', note: 'b' },
          { inline_data: { mime_type: 'image/png', data: 'AAAA', displayName: 'a plan' } },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://x.example/a.pdf' } },
          { videoMetadata: { startOffset: '1s' } },
          { hologram: { words: ['a', { type: 'b', id: 'c', name: 'd' }] } },
        ],
      },
      {
        role: 'model',
        parts: [
          { text: 'a', thought: true, thoughtSignature: 's' },
          { functionCall: { id: 'c', name: 'f', args: { city: 'x' } }, thoughtSignature: 't' },
          { executableCode: { language: 'PYTHON', code: 'print(1)' } },
          { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'c', name: 'f', response: { output: 'x' } } },
          { functionResponse: { name: 'f', response: { any: ['x', { more: 'y' }] } } },
          {
            functionResponse: {
              name: 'g',
              response: {},
              parts: [{ inlineData: { mimeType: 'image/png', data: 'A' } }],
            },
          },
        ],
      },
    ],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'f',
            description: 'a',
            parameters: {
              type: 'OBJECT',
              properties: { city: { type: 'STRING', description: 'd', enum: ['a'] } },
            },
          },
        ],
      },
      { googleSearch: { excludeDomains: ['x.example'] } },
    ],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
    generationConfig: {
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      speechConfig: { voice: 'v' },
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
    cachedContent: 'cachedContents/a',
    labels: { team: 'x' },
    metadata: { task: 'faq' },
  },
  'openai.chat': {
    model: 'm',
    messages: [
      { role: 'system', name: 'Ann', content: [{ type: 'text', text: 'a' }, 'loose'] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a', annotation: { note: 'b' } },
          { type: 'input_text', text: 'vLLM reads this' },
          { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'low' } },
          { type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AAAA' } },
          { type: 'hologram', words: ['a', { type: 'b', id: 'c', name: 'd' }] },
        ],
      },
      {
        role: 'assistant',
        content: null,
        refusal: 'no',
        reasoning_content: 'a',
        reasoning: 'b',
        reasoning_details: [{ type: 'reasoning.text', text: 'a', signature: 's' }],
        tool_calls: [
          { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
          { id: 'd', type: 'custom', custom: { name: 'g', input: 'x' } },
          { id: 'e', type: 'odd', function: { name: 'h', arguments: { deep: 'x' } } },
        ],
        function_call: { name: 'f', arguments: '{}' },
        audio: { id: 'a' },
      },
      { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'a' }] },
    ],
    tools: [
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'a',
          parameters: {
            type: 'object',
            title: 'T',
            $defs: { a: { $ref: '#/$defs/a' } },
            properties: { name: { type: 'string', description: 'd', enum: ['a'], examples: ['b'] } },
            required: ['name'],
          },
        },
      },
      {
        type: 'custom',
        custom: { name: 'g', description: 'd', format: { type: 'grammar', definition: 'x' } },
      },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    functions: [{ name: 'f', description: 'd', parameters: {} }],
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'n', description: 'd', schema: { const: 'c', default: 'd' } },
    },
    prediction: { type: 'content', content: 'p' },
    stop: ['END'],
    documents: [{ id: '1', title: 't', text: 'x' }],
    chat_template: 'template',
    chat_template_kwargs: { note: 'x' },
    web_search_options: { user_location: { type: 'approximate', approximate: { city: 'c' } } },
    metadata: { a: 'b' },
    user: 'u',
    unknown: [{ type: 'x', data: 'y' }],
  },
  'anthropic.messages': {
    model: 'm',
    system: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' }, title: 't' }, 'loose'],
    messages: [
      {
        role: 'user',
        name: 'Ann',
        content: [
          {
            type: 'search_result',
            source: 'https://x',
            title: 't',
            content: [{ type: 'text', text: 'a' }],
            citations: { enabled: true },
          },
          { type: 'document', title: 't', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
          { type: 'document', context: 'c', source: { type: 'text', media_type: 'text/plain', data: 'd' } },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
          { type: 'document', source: { type: 'content', content: 'words' } },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
          {
            type: 'tool_result',
            tool_use_id: 't',
            content: [
              { type: 'search_result', source: 's', title: 't', content: [{ type: 'text', text: 'a' }] },
              { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'a' }] } },
              { type: 'text', text: 'a' },
            ],
          },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'a', signature: 's' },
          { type: 'redacted_thinking', data: 'd', text: 'a' },
          { type: 'tool_use', id: 't', name: 'f', input: { a: 'b', type: 'c' } },
          { type: 'server_tool_use', id: 't', name: 'web_search', input: { query: 'q' } },
          {
            type: 'web_search_tool_result',
            tool_use_id: 't',
            content: [{ type: 'web_search_result', url: 'https://x', title: 't', encrypted_content: 'e' }],
          },
          {
            type: 'text',
            text: 'a',
            citations: [{ type: 'char_location', cited_text: 'c', document_title: 't' }],
          },
        ],
      },
    ],
    tools: [
      { name: 'f', description: 'd', input_schema: { type: 'object', properties: {}, title: 't' } },
      {
        type: 'web_search_20250305',
        name: 'web_search',
        allowed_domains: ['x'],
        user_location: { city: 'c' },
      },
    ],
    tool_choice: { type: 'tool', name: 'f' },
    stop_sequences: ['END'],
    output_config: { format: { type: 'json_schema', schema: { description: 'd' } } },
    mcp_servers: [{ type: 'url', url: 'https://x', name: 'n', authorization_token: 't' }],
    container: 'c',
    metadata: { user_id: 'u', a: 'b' },
    unknown: { a: ['b'] },
  },
  'openai.responses': {
    model: 'm',
    instructions: 'i',
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'a' }, 'loose'] },
      { type: 'message', role: 'assistant', id: 'm', status: 'completed', content: 'words' },
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_image', image_url: 'https://x.example/a.png', detail: 'auto' },
          { type: 'input_file', filename: 'f', file_data: 'data:application/pdf;base64,AAAA' },
          {
            type: 'output_text',
            text: 'a',
            annotations: [{ type: 'url_citation', url: 'u', title: 't' }],
            logprobs: [{ token: 'a' }],
          },
        ],
      },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: 'a' }] },
      { type: 'custom_tool_call', call_id: 'c', name: 'f', input: 'x' },
      { type: 'custom_tool_call_output', call_id: 'c', output: 'x' },
      { type: 'mcp_call', id: 'i', server_label: 's', name: 'n', arguments: '{}', output: 'o', error: 'e' },
      {
        type: 'mcp_list_tools',
        server_label: 's',
        tools: [{ name: 'n', description: 'd', input_schema: {} }],
      },
      { type: 'local_shell_call', call_id: 'c', action: { type: 'exec', command: ['c'], env: { A: 'b' } } },
      { type: 'local_shell_call_output', id: 'i', output: 'o' },
      { type: 'shell_call_output', call_id: 'c', output: [{ stdout: 's', stderr: 'e' }] },
      { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'a' }], encrypted_content: 'e' },
      { type: 'reasoning', id: 'r', summary: ['loose'] },
      { type: 'computer_call_output', call_id: 'c', output: { type: 'computer_screenshot', image_url: 'u' } },
      { type: 'image_generation_call', id: 'i', result: 'AAAA', revised_prompt: 'p' },
      { type: 'web_search_call', id: 'w', action: { type: 'search', query: 'q' } },
      { type: 'file_search_call', id: 'f', queries: ['q'], results: [{ text: 't', filename: 'f' }] },
      { type: 'code_interpreter_call', id: 'c', code: 'c', outputs: [{ type: 'logs', logs: 'l' }] },
    ],
    prompt: { id: 'p', version: '1', variables: { a: 'b', c: { type: 'input_text', text: 'd' } } },
    tools: [
      { type: 'function', name: 'f', description: 'd', parameters: { title: 't', properties: {} } },
      { type: 'mcp', server_label: 's', server_description: 'd', server_url: 'u', headers: { A: 'b' } },
      { type: 'custom', name: 'g', description: 'd', format: { type: 'grammar', definition: 'x' } },
      { type: 'web_search', user_location: { type: 'approximate', city: 'c' }, filters: { a: ['x'] } },
    ],
    text: { format: { type: 'json_schema', name: 'n', description: 'd', schema: { title: 't' } } },
    metadata: { a: 'b' },
    user: 'u',
    unknown: 'x',
  },
};
