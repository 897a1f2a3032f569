/** Ajv's options for the configuration of a plugin. Validators fill in defaults, changing the value. */
export const CONFIG_CHECKS = {
  strict: false,
  allErrors: true,
  verbose: true,
  useDefaults: true,
  ownProperties: true,
  logger: false,
} as const;
