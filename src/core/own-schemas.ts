/**
 * ajv's options for schemas that are part of the program. They are not checked against the meta-schema at each start,
 * because tests do that, and their compiled code is not minified, which would take as long as compiling. The code is kept as a
 * module, which is what the joined program has in place of the schemas.
 */
export const OWN_SCHEMAS = {
  validateSchema: false,
  code: { optimize: false, source: true, esm: true },
} as const;
