import { id, Members, media, text, whole, word } from '../helpers/members.js';

/* The members of an embeddings request. Some servers take pictures too, in objects as those of Chat Completions. */

const picture = new Members(() => ({ url: media }), { string: media });

export const request = new Members(() => ({
  model: id,
  input: new Members(() => ({ type: word, text, image: picture, image_url: picture })),
  encoding_format: word,
  dimensions: word,
  user: id,
  metadata: whole('kept on the log and not told to the model'),
}));
