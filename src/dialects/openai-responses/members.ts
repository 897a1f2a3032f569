import {
  bytes,
  counts,
  id,
  type Leaf,
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
 * The members of Responses that are not text. All other members count as text, and so do strings that do not look
 * like their member.
 */

const annotationWith = (link: Link) =>
  new Members(() => ({
    type: word,
    file_id: id,
    container_id: id,
    filename: text,
    title: text,
    url: link,
  }));
const annotation = annotationWith(text);

/** The probabilities of tokens only repeat the text token by token. */
const logprobs = whole('the text once more, token by token');

const partWith = (link: Link): Members =>
  new Members(() => ({
    type: word,
    text,
    refusal: text,
    image_url: media,
    detail: word,
    file_id: id,
    file_url: media,
    file_data: bytes,
    filename: text,
    input_audio: new Members(() => ({ data: bytes, format: word })),
    annotations: annotationWith(link),
    logprobs,
  }));

export const part = partWith(text);

const CREDENTIALS = 'credentials for the server of a tool';

const toolNames = new Members(() => ({ tool_names: word, read_only: word }), { string: word });

const tool = new Members(() => ({
  type: word,
  name: word,
  description: text,
  parameters: schema,
  strict: word,
  vector_store_ids: id,
  server_label: word,
  server_description: text,
  server_url: text,
  connector_id: id,
  headers: whole(CREDENTIALS),
  authorization: whole(CREDENTIALS),
  allowed_tools: toolNames,
  require_approval: new Members(() => ({ always: toolNames, never: toolNames }), { string: word }),
  container: new Members(() => ({ type: word, file_ids: id, memory_limit: word }), { string: id }),
  search_context_size: word,
  user_location: new Members(() => ({ type: word, country: word })),
  format: new Members(() => ({ type: word, syntax: word, definition: text })),
  model: id,
  size: word,
  quality: word,
  background: word,
  output_format: word,
  moderation: word,
  input_image_mask: part,
  environment: word,
}));

/** A picture that the API created. */
const picture: Leaf = {
  noText: bytes.noText!,
  isNoText: (value, holder) => holder.type === 'image_generation_call' && bytes.isNoText(value, holder),
  files: true,
};

/** The items of input and output. */
const itemWith = (part: Members): Members =>
  new Members(() => ({
    type: word,
    id,
    role: word,
    status: word,
    phase: word,
    content: part,
    call_id: id,
    name: word,
    namespace: word,
    arguments: text,
    input: text,
    output: part,
    summary: part,
    encrypted_content: proof,
    container_id: id,
    server_label: word,
    approval_request_id: id,
    result: picture,
    tools: tool,
  }));

export const item = itemWith(part);
/** The items of a request. */
export const given = itemWith(partWith(media));

const ECHO = 'the request once more';

/** An answer, also as the events of a stream contain it. */
export const answer = new Members(
  (): Record<string, Members | Leaf> => ({
    id,
    object: word,
    created_at: word,
    completed_at: word,
    status: word,
    model: id,
    output: item,
    usage: counts,
    incomplete_details: new Members(() => ({ reason: word })),
    inference_log_id: id,
    billing: counts,
    instructions: whole(ECHO),
    tools: whole(ECHO),
    tool_choice: whole(ECHO),
    text: whole(ECHO),
    prompt: whole(ECHO),
    reasoning: whole(ECHO),
    metadata: whole(ECHO),
    conversation: whole(ECHO),
    previous_response_id: id,
    user: id,
    safety_identifier: userId,
    prompt_cache_key: id,
    prompt_cache_retention: word,
    truncation: word,
    service_tier: word,
  }),
);

/** An event of a stream. */
export const frame: Members = new Members(
  (): Record<string, Members | Leaf> => ({
    type: word,
    response: answer,
    item,
    part,
    item_id: id,
    call_id: id,
    name: word,
    delta: text,
    text,
    arguments: text,
    annotation,
    logprobs,
    obfuscation: id,
    partial_image_b64: bytes,
    code: word,
    param: word,
  }),
);

const choice = new Members(
  (): Record<string, Members | typeof text> => ({
    type: word,
    name: word,
    mode: word,
    server_label: word,
    tools: choice,
  }),
  { string: word },
);

export const request = new Members(
  (): Record<string, Members | typeof text> => ({
    model: id,
    input: given,
    instructions: item,
    prompt: new Members(() => ({ id, version: word, variables: new Members(() => ({}), { others: part }) })),
    previous_response_id: id,
    conversation: new Members(() => ({ id }), { string: id }),
    tools: tool,
    tool_choice: choice,
    text: new Members(() => ({
      format: new Members(() => ({ type: word, name: word, description: text, schema, strict: word })),
      verbosity: word,
    })),
    reasoning: new Members(() => ({ effort: word, summary: word, generate_summary: word })),
    metadata,
    user: userId,
    safety_identifier: id,
    prompt_cache_key: id,
    prompt_cache_retention: word,
    include: word,
    truncation: word,
    service_tier: word,
    stream: word,
    stream_options: new Members(() => ({ include_obfuscation: word })),
    store: word,
    background: word,
    max_output_tokens: word,
    max_tool_calls: word,
    temperature: word,
    top_p: word,
    top_logprobs: word,
    parallel_tool_calls: word,
  }),
);
