/** The credentials of the fake providers, by the name of their environment variable. */
export const PROVIDER_KEYS = {
  FAKE_KEY: 'provider-secret',
  FIRST_KEY: 'secret-of-first',
  SECOND_KEY: 'secret-of-second',
} as const;
