import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parseAllDocuments } from 'yaml';
import { runProgram } from '../../src/local/processes/run-program.js';
import { ENVOY_GATEWAY } from './go-program.js';

/** A Go module that has definitions of Kubernetes resources in one of its folders. */
export interface DefinitionsModule {
  module: string;
  folder: string;
}

export const GATEWAY_DEFINITIONS: DefinitionsModule = {
  module: `${ENVOY_GATEWAY.module}@${ENVOY_GATEWAY.version}`,
  folder: 'charts/gateway-crds-helm/templates',
};
/** Istio's API alone: the module of Istio itself cannot be downloaded. */
export const ISTIO_DEFINITIONS: DefinitionsModule = { module: 'istio.io/api@v1.31.1', folder: 'kubernetes' };

type Schema = Record<string, unknown> & { properties?: Record<string, Schema>; items?: Schema };

interface Definition {
  kind: string;
  spec: {
    group: string;
    names: { kind: string };
    versions: { name: string; schema: { openAPIV3Schema: Schema } }[];
  };
}

export interface Crds {
  /** What is wrong with a manifest. An unknown kind is a mistake too. */
  check(manifest: { apiVersion: string; kind: string }): string[];
}

/** The definitions in a module, or the reason why they cannot be downloaded. */
export async function crdsOf({ module, folder }: DefinitionsModule): Promise<Crds | { missing: string }> {
  // Go runs outside of this project, because this project is not a Go module.
  const options = { environment: process.env, cwd: tmpdir(), timeoutMs: 300_000 };
  let moduleFolder: string;
  try {
    const { code, stdout, output } = await runProgram('go', ['mod', 'download', '-json', module], options);
    if (code !== 0) return { missing: `${module} cannot be downloaded: ${output.slice(0, 300)}` };
    moduleFolder = (JSON.parse(stdout) as { Dir: string }).Dir;
  } catch (error) {
    return { missing: `no Go: ${String(error)}` };
  }
  const validators = new Map<string, ValidateFunction>();
  const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
  for (const file of await filesIn(join(moduleFolder, folder))) {
    for (const { kind, spec } of definitionsIn(await readFile(file, 'utf8'))) {
      if (kind !== 'CustomResourceDefinition') continue;
      for (const { name, schema } of spec.versions) {
        const key = `${spec.group}/${name} ${spec.names.kind}`;
        validators.set(key, ajv.compile(closed(withCommonFields(schema.openAPIV3Schema))));
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

/** The files are Helm templates, in which some lines are conditions. */
function definitionsIn(text: string): Definition[] {
  const plain = text.replaceAll(/^\s*\{\{.*\}\}\s*$/gm, '');
  return parseAllDocuments(plain).flatMap((document): Definition[] => document.toJS() ?? []);
}

/** Every resource has these fields, even where its definition does not list them. */
function withCommonFields({ properties, ...schema }: Schema): Schema {
  return { ...schema, properties: { apiVersion: {}, kind: {}, metadata: {}, ...properties } };
}

/** Changes the definitions so that unknown fields are mistakes, which Kubernetes would silently drop. */
function closed(schema: Schema): Schema {
  const { properties, items } = schema;
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return schema;
  if (schema['x-kubernetes-int-or-string'] === true) return {};
  // The definitions list no properties for `metadata`, so there anything is allowed.
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
