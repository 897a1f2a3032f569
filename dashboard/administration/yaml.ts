import { parseDocument, stringify } from 'yaml';

/** An endpoint as a map, to be changed. */
export function writeEndpoint(value: Record<string, unknown>): string {
  return stringify(value);
}

/** An endpoint as an entry of `endpoints` in sluice.yaml. */
export function writeEntry(value: Record<string, unknown>): string {
  return stringify([value]);
}

/** The endpoint of a text, which may be an entry copied from sluice.yaml; or what is wrong with it, and where. */
export function readEndpoint(text: string): { value: Record<string, unknown> } | { error: string } {
  const document = parseDocument(text);
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    const [{ line, col }] = mistake.linePos ?? [{ line: 1, col: 1 }];
    // The lines after the first show the place again, as an excerpt.
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

/** Undefined where its aliases stand for more than is sensible. */
function plainOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch {
    return undefined;
  }
}
