import { id, Members, media, text, whole, word } from '../helpers/members.js';

/* The members of a moderations request. */

export const request = new Members(() => ({
  model: id,
  input: new Members(() => ({ type: word, text, image_url: new Members(() => ({ url: media })) })),
  metadata: whole('kept on the log and not told to the model'),
}));
