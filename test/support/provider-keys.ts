/** The credentials of the fake providers, by the environment variable that holds each. */
export const PROVIDER_KEYS = {
  FAKE_KEY: 'provider-secret',
  FIRST_KEY: 'secret-of-first',
  SECOND_KEY: 'secret-of-second',
} as const;
