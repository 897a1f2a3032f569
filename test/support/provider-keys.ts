/** What engines have for the fake providers, by the variables that hold it. */
export const PROVIDER_KEYS = {
  FAKE_KEY: 'provider-secret',
  FIRST_KEY: 'secret-of-first',
  SECOND_KEY: 'secret-of-second',
} as const;
