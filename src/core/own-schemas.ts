/**
 * Options of ajv for schemas that are part of the program: they are not checked against the meta-schema at each start
 * (tests do that), and their code is not made smaller, which takes as long as making it. Half a second of each start.
 */
export const OWN_SCHEMAS = { validateSchema: false, code: { optimize: false } } as const;
