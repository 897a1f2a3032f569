import { id, Members, media, text, whole, word } from '../members/members.js';

/* The members of a moderations request. */

export const request = new Members(() => ({
  model: id,
  input: new Members(() => ({ type: word, text, image_url: new Members(() => ({ url: media })) })),
  metadata: whole('kept on the log and not told to the model'),
}));

export const answer = new Members(() => ({
  id,
  model: id,
  results: whole('names of categories, and numbers'),
  inference_log_id: id,
}));
