import {
  bytes,
  counts,
  id,
  type Link,
  Members,
  media,
  metadata,
  proof,
  schema,
  text,
  userId,
  whole,
  word,
} from '../members/members.js';

/*
 * The members of Chat Completions that are not text. All other members count as text, and so do strings that do not
 * look like their member.
 */

const cacheControl = new Members(() => ({ type: word, ttl: word }));

export const part: Members = new Members(() => ({
  type: word,
  text,
  refusal: text,
  image_url: new Members(() => ({ url: media, detail: word }), { string: media }),
  video_url: new Members(() => ({ url: media }), { string: media }),
  audio_url: new Members(() => ({ url: media }), { string: media }),
  input_audio: new Members(() => ({ data: bytes, format: word })),
  file: new Members(() => ({ file_id: id, file_data: bytes, filename: text })),
  cache_control: cacheControl,
}));

export const named = new Members(() => ({ name: word, arguments: text, input: text, description: text }));

export const toolCall = new Members(() => ({ id, type: word, index: word, function: named, custom: named }));

const reasoningDetail = new Members(() => ({
  type: word,
  text,
  summary: text,
  signature: proof,
  data: proof,
  id,
  format: word,
  index: word,
}));

const messageWith = (link: Link): Members =>
  new Members(() => ({
    role: word,
    name: text,
    content: part,
    refusal: text,
    tool_call_id: id,
    tool_calls: toolCall,
    function_call: named,
    // The audio of an answer, or the id of an earlier one.
    audio: new Members(() => ({ id, data: bytes, transcript: text, expires_at: word })),
    annotations: new Members(() => ({
      type: word,
      url: link,
      url_citation: new Members(() => ({ url: link })),
    })),
    reasoning_content: text,
    reasoning: text,
    reasoning_details: reasoningDetail,
    cache_control: cacheControl,
  }));

export const message = messageWith(media);
export const answered = messageWith(text);

const definition = new Members(() => ({
  name: word,
  description: text,
  parameters: schema,
  strict: word,
  format: new Members(() => ({
    type: word,
    grammar: new Members(() => ({ syntax: word, definition: text })),
  })),
}));

const tool = new Members(() => ({
  type: word,
  function: definition,
  custom: definition,
  cache_control: cacheControl,
}));

const toolChoice: Members = new Members(
  () => ({
    type: word,
    name: word,
    mode: word,
    function: named,
    custom: named,
    allowed_tools: new Members(() => ({ mode: word, tools: toolChoice })),
  }),
  { string: word },
);

const verdict = new Members(() => ({}), {
  others: new Members(() => ({ severity: word, filtered: word, detected: word })),
});

export const answerChoice = new Members(() => ({
  index: word,
  message: answered,
  delta: answered,
  text,
  finish_reason: word,
  native_finish_reason: word,
  logprobs: whole('the text once more, token by token'),
  content_filter_results: verdict,
}));

/** An answer, and a chunk of a stream. */
export const answer = new Members(() => ({
  id,
  object: word,
  created: word,
  model: id,
  provider: word,
  choices: answerChoice,
  usage: counts,
  system_fingerprint: id,
  service_tier: word,
  obfuscation: id,
  inference_log_id: id,
  prompt_filter_results: new Members(() => ({ prompt_index: word, content_filter_results: verdict })),
}));

const TOKENS = 'numbers of tokens';

export const request = new Members(
  (): Record<string, Members | typeof text> => ({
    model: id,
    messages: message,
    tools: tool,
    functions: definition,
    tool_choice: toolChoice,
    function_call: toolChoice,
    response_format: new Members(() => ({
      type: word,
      json_schema: new Members(() => ({ name: word, description: text, schema, strict: word })),
    })),
    prediction: new Members(() => ({ type: word, content: part })),
    stop: text,
    documents: text,
    chat_template: text,
    metadata,
    logit_bias: whole(TOKENS),
    user: userId,
    safety_identifier: userId,
    prompt_cache_key: id,
    prompt_cache_retention: word,
    audio: new Members(() => ({ voice: new Members(() => ({ id }), { string: word }), format: word })),
    modalities: word,
    stream: word,
    stream_options: new Members(() => ({ include_usage: word, include_obfuscation: word })),
    store: word,
    n: word,
    seed: word,
    temperature: word,
    top_p: word,
    top_k: word,
    frequency_penalty: word,
    presence_penalty: word,
    max_tokens: word,
    max_completion_tokens: word,
    logprobs: word,
    top_logprobs: word,
    parallel_tool_calls: word,
    reasoning_effort: word,
    verbosity: word,
    service_tier: word,
    web_search_options: new Members(() => ({ search_context_size: word })),
    cache_control: cacheControl,
  }),
);
