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
  whole,
  word,
} from '../members/members.js';

/*
 * The members of the Messages API that are not text. All other members count as text, and so do strings that do not
 * look like their member.
 */

const cacheControl = new Members(() => ({ type: word, ttl: word, scope: word }));

const source: Members = new Members(() => ({
  type: word,
  media_type: word,
  data: bytes,
  url: media,
  file_id: id,
  content: block,
}));

const citationWith = (link: Link) =>
  new Members(() => ({
    type: word,
    cited_text: text,
    document_title: text,
    title: text,
    source: text,
    url: link,
    file_id: id,
    encrypted_index: proof,
    enabled: word,
  }));
const citation = citationWith(text);

/** The blocks in the content of a message, and in the result of a tool. */
const blockWith = (link: Link): Members => {
  const made: Members = new Members(() => ({
    type: word,
    text,
    // The model reads the URL of a search result, so it counts as text. The URL of a picture does not.
    source,
    title: text,
    context: text,
    citations: citationWith(link),
    cache_control: cacheControl,
    id,
    tool_use_id: id,
    name: word,
    input: text,
    content: made,
    is_error: word,
    thinking: text,
    signature: proof,
    data: proof,
    url: link,
    encrypted_content: proof,
    page_age: text,
    file_id: id,
    server_name: word,
    caller: new Members(() => ({ type: word, tool_id: id })),
  }));
  return made;
};

export const block = blockWith(text);
const given = blockWith(media);

export const message = new Members(() => ({ role: word, content: given }));

/** An answer, which is also the start of a stream. */
export const answer = new Members(() => ({
  id,
  type: word,
  role: word,
  model: id,
  content: block,
  stop_reason: word,
  stop_sequence: word,
  usage: counts,
  container: new Members(() => ({ id, expires_at: word })),
  inference_log_id: id,
}));

/** An event of a stream. */
export const frame = new Members(() => ({
  type: word,
  index: word,
  message: answer,
  content_block: block,
  delta: new Members(() => ({
    type: word,
    text,
    thinking: text,
    partial_json: text,
    signature: proof,
    citation,
    stop_reason: word,
    stop_sequence: word,
  })),
  usage: counts,
}));

const tool = new Members(() => ({
  type: word,
  name: word,
  description: text,
  input_schema: schema,
  cache_control: cacheControl,
  allowed_callers: word,
  defer_loading: word,
  strict: word,
  mcp_server_name: word,
}));

export const request = new Members(
  (): Record<string, Members | typeof text> => ({
    model: id,
    messages: message,
    system: given,
    tools: tool,
    tool_choice: new Members(() => ({ type: word, name: word, disable_parallel_tool_use: word })),
    output_config: new Members(() => ({
      format: new Members(() => ({ type: word, schema })),
      effort: word,
    })),
    output_format: new Members(() => ({ type: word, schema })),
    stop_sequences: text,
    metadata,
    container: new Members(
      () => ({ id, skills: new Members(() => ({ type: word, skill_id: id, version: word })) }),
      { string: id },
    ),
    mcp_servers: new Members(() => ({
      type: word,
      name: word,
      url: text,
      authorization_token: whole('a credential'),
      tool_configuration: new Members(() => ({ enabled: word, allowed_tools: word })),
    })),
    context_management: new Members(() => ({
      edits: new Members(() => ({
        type: word,
        trigger: new Members(() => ({ type: word, value: word })),
        keep: new Members(() => ({ type: word, value: word })),
        exclude_tools: word,
      })),
    })),
    thinking: new Members(() => ({ type: word, budget_tokens: word, display: word })),
    max_tokens: word,
    stream: word,
    store: word,
    temperature: word,
    top_p: word,
    top_k: word,
    service_tier: word,
    inference_geo: word,
    speed: word,
    betas: word,
    cache_control: cacheControl,
  }),
);
