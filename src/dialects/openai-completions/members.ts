import { id, Members, text, userId, whole, word } from '../members/members.js';

/*
 * The members of an older completions request. Its answers have the members of Chat Completions.
 */

export const request = new Members(() => ({
  model: id,
  prompt: new Members(() => ({})),
  suffix: text,
  stop: text,
  metadata: whole('kept on the log and not told to the model'),
  logit_bias: whole('numbers of tokens'),
  user: userId,
  stream: word,
  stream_options: new Members(() => ({ include_usage: word, include_obfuscation: word })),
  n: word,
  best_of: word,
  echo: word,
  logprobs: word,
  seed: word,
  temperature: word,
  top_p: word,
  top_k: word,
  frequency_penalty: word,
  presence_penalty: word,
  max_tokens: word,
}));
