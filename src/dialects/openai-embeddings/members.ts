import { counts, id, Members, media, text, userId, whole, word } from '../members/members.js';

/*
 * The members of an embeddings request. Some servers also accept pictures, in objects like those of Chat Completions.
 */

const picture = new Members(() => ({ url: media }), { string: media });

export const request = new Members(() => ({
  model: id,
  input: new Members(() => ({ type: word, text, image: picture, image_url: picture })),
  encoding_format: word,
  dimensions: word,
  user: userId,
  metadata: whole('kept on the log and not told to the model'),
}));

/** An answer as its log has it, with a description in place of its vectors. */
export const answer = new Members(() => ({
  object: word,
  model: id,
  data: whole('numbers'),
  vectors: whole('counts'),
  usage: counts,
  inference_log_id: id,
}));
