import { type Answer, call } from '../api/client.ts';

let asked: Promise<Answer<'GET /api/dashboard'>> | undefined;

/** What the service tells this page of its configuration; asked for once. */
export function readSettings(): Promise<Answer<'GET /api/dashboard'>> {
  asked ??= call('GET /api/dashboard').catch((error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
