import { type Answer, call } from '../api/client.ts';

let asked: Promise<Answer<'GET /api/dashboard'>> | undefined;

/** The settings of the service that concern this page. They are loaded once. */
export function readSettings(): Promise<Answer<'GET /api/dashboard'>> {
  asked ??= call('GET /api/dashboard').catch((error) => {
    asked = undefined;
    throw error;
  });
  return asked;
}
