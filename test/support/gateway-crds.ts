import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { runProgram } from '../../src/local/processes/run-program.js';

/** A Go module, which has the definitions of its resources and those of the Gateway API in it. */
const MODULE = 'github.com/envoyproxy/gateway@v1.9.1';
const TEMPLATES = 'charts/gateway-crds-helm/templates';

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema };

interface Definition {
  kind: string;
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

export interface GatewayCrds {
  /** What is wrong with a manifest; a kind that is not known is, too. */
  check(manifest: { apiVersion: string; kind: string }): string[];
}

/** The definitions of Envoy Gateway and the Gateway API, or why they cannot be had. */
export async function gatewayCrds(): Promise<GatewayCrds | { missing: string }> {
  // Outside of this project, which is no module of Go.
  const options = { environment: process.env, cwd: tmpdir(), timeoutMs: 300_000 };
  let directory: string;
  try {
    const { code, stdout, output } = await runProgram('go', ['mod', 'download', '-json', MODULE], options);
    if (code !== 0) return { missing: `${MODULE} cannot be downloaded: ${output.slice(0, 300)}` };
    directory = (JSON.parse(stdout) as { Dir: string }).Dir;
  } catch (error) {
    return { missing: `no Go: ${String(error)}` };
  }
  const validators = new Map<string, ValidateFunction>();
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const file of await filesIn(join(directory, TEMPLATES))) {
    for (const { kind, spec } of definitionsIn(await readFile(file, 'utf8'))) {
      if (kind !== 'CustomResourceDefinition') continue;
      for (const { name, schema } of spec.versions) {
        const key = `${spec.group}/${name} ${spec.names.kind}`;
        validators.set(key, ajv.compile(closed(schema.openAPIV3Schema)));
      }
    }
  }
  return {
    check(manifest) {
      const { apiVersion, kind } = manifest;
      const validate = validators.get(`${apiVersion} ${kind}`);
      if (validate === undefined) return [`there is no ${apiVersion} ${kind}`];
      return validate(manifest) ? [] : [ajv.errorsText(validate.errors, { dataVar: kind })];
    },
  };
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith('.yaml') && !name.includes('experimental'))
    .map((name) => join(folder, name));
}

/** They are templates of Helm, of which single lines are conditions. */
function definitionsIn(text: string): Definition[] {
  const plain = text.replaceAll(/^\s*\{\{.*\}\}\s*$/gm, '');
  return parseAllDocuments(plain).flatMap((document): Definition[] => document.toJS() ?? []);
}

/** Kubernetes drops a field that is not known; here it is a mistake. */
function closed(schema: Schema): Schema {
  const { properties, items } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return schema;
  if (schema['x-kubernetes-int-or-string'] === true) return {};
  // `metadata` of a resource has no properties in its definition.
  const isClosed = properties !== undefined && Object.keys(properties).length > 0;
  return {
    ...schema,
    ...(isClosed && schema.additionalProperties === undefined ? { additionalProperties: false } : {}),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [name, closed(value)]),
      ),
    }),
    ...(items && { items: closed(items) }),
  };
}
