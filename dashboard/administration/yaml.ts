import { parseDocument, stringify } from 'yaml';

/** The YAML of an endpoint alone, for editing it. */
export function writeEndpoint(value: Record<string, unknown>): string {
  return stringify(value);
}

/** The YAML of an endpoint as an item of `endpoints` in sluice.yaml. */
export function writeEntry(value: Record<string, unknown>): string {
  return stringify([value]);
}

/**
 * Reads an endpoint from a text, which may be an item copied from sluice.yaml. Otherwise says what is wrong, and
 * where.
 */
export function readEndpoint(text: string): { value: Record<string, unknown> } | { error: string } {
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    const [{ line, col }] = mistake.linePos ?? [{ line: 1, col: 1 }];
    // The lines after the first one repeat the place with an excerpt of the text.
    const what = mistake.message.split(/ at line \d/, 1)[0];
    return { error: `Line ${line}, column ${col}: ${what}` };
  }
  const read = plainOf(document);
  const value = Array.isArray(read) && read.length === 1 ? read[0] : read;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { error: 'An endpoint is a map that begins with its name, such as “name: support”.' };
  }
  return { value };
}

/** The value without YAML's aliases; undefined where they would make it too large. */
function plainOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}
