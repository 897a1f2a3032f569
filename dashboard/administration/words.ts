/** Labels for members of an endpoint whose key would not be a good label. */
const WORDS: Record<string, string> = {
  json_validation: 'Validate JSON answers',
  schema_in_prompt: 'Put the schema into the prompt',
  unwrap_fences: 'Remove code fences around JSON',
  explain_invalid: 'Explain to the next model what was invalid',
  fallback_on: 'Try the next model after',
  timeout_ms: 'Timeout (ms)',
  total_timeout_ms: 'Timeout for all attempts (ms)',
  stream_idle_timeout_ms: 'Longest gap in a stream (ms)',
  first_token_timeout_ms: 'Timeout for the first token (ms)',
  log_content: 'What logs keep of the messages',
  same_vectors: 'All models give the same vectors',
  structured_output: 'Supports structured output',
  when: 'Only when',
  tags_any: 'One of these tags',
  tags_all: 'All of these tags',
  tags_none: 'None of these tags',
  sticky: 'Keep a conversation on one model',
  by: 'Conversation identified by',
  cache: 'Cache answers',
  ttl_s: 'Keep for (seconds)',
  coalesce: 'Combine identical requests',
  vary_by: 'Separate answers by metadata',
  plugin: 'Plugin',
  config: 'Settings',
  on_error: 'When it fails',
  isolate: 'Run in its own thread',
  phases: 'Runs on',
};

/** The label of the field for a key. */
export function labelOf(key: string): string {
  const words = WORDS[key] ?? key.replace(/_ms$/, ' (ms)').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The label of one item of a list, such as `Model` for `Models`. */
export function oneOf(label: string): string {
  return label.replace(/(?<=[^s])s$/, '');
}
