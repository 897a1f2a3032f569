import { type Ajv, MissingRefError } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { clip, describeErrors } from '../describe-errors.js';
import { unlimitedBudget } from '../pattern/budget.js';
import { createPattern, type Pattern } from '../pattern/pattern.js';
import type { CompileReply } from '../thread-protocol.js';
import { createAjv } from './create-ajv.js';
import { DRAFTS, DRAFTS_TEXT, type Draft, draftOf } from './draft.js';
import { normalizeSchema } from './normalize-schema.js';
import { normalizeUnevaluated } from './normalize-unevaluated.js';
import { findReferenceRing } from './reference-rings.js';
import { Refusal } from './refusal.js';
import { unfoldedNodes } from './schema-cost.js';
import { walkSchemas } from './schema-walk.js';

/** An instance of ajv keeps every pattern that it has seen, so it is replaced after this many schemas. */
const COMPILES_PER_INSTANCE = 300;

interface Instance {
  ajv: Ajv;
  compiles: number;
  /** What the instance knew before the first schema: the meta-schemas. */
  ownRefs: ReadonlySet<string>;
  ownSchemas: ReadonlySet<string>;
}

/** Compiles clients' schemas to code. Must run in a thread that can be terminated: nothing here has a time limit. */
export class SchemaCompiler {
  readonly #instances = new Map<Draft, Instance>();
  #patterns: Pattern[] = [];

  compile(schemaText: string): CompileReply {
    let draft: Draft | undefined;
    try {
      const schema = JSON.parse(schemaText) as JsonValue;
      draft = draftOf(schema);
      if (draft === undefined) throw new Refusal('/$schema', `not a supported draft; ${DRAFTS_TEXT}`);
      normalizeSchema(schema, draft);
      if (draft !== '07') normalizeUnevaluated(schema, draft);
      refuseUnusableReferences(schema);
      return this.#compileNormalized(schema, draft);
    } catch (error) {
      if (error instanceof Refusal) return { kind: 'refused', path: error.path, message: error.message };
      // An unexpected schema stopped ajv in the middle of its work.
      if (draft !== undefined) this.#instances.delete(draft);
      const tooDeep = error instanceof RangeError;
      return {
        kind: 'refused',
        path: '',
        message: tooDeep ? 'its references or its levels are too deep' : 'it cannot be compiled',
      };
    }
  }

  /** Prepares each draft, so that its first schema does not wait. */
  warm(): void {
    for (const url of Object.values(DRAFTS)) this.compile(JSON.stringify({ $schema: url }));
  }

  #compileNormalized(schema: JsonValue, draft: Draft): CompileReply {
    const instance = this.#instance(draft);
    instance.compiles++;
    refuseInvalid(instance.ajv, schema);
    try {
      // Validating the schema itself has used the patterns of its meta-schema.
      this.#patterns = [];
      const code = generateCode(instance.ajv, schema);
      return {
        kind: 'compiled',
        code,
        cost: {
          unfoldedNodes: unfoldedNodes(schema),
          patterns: this.#patterns.length,
          nativePatterns: this.#patterns.some((pattern) => pattern.engine === 'native'),
          patternInstructions: this.#patterns.reduce((sum, pattern) => sum + pattern.instructions, 0),
        },
      };
    } finally {
      forget(instance, schema);
    }
  }

  #instance(draft: Draft): Instance {
    const known = this.#instances.get(draft);
    if (known !== undefined && known.compiles < COMPILES_PER_INSTANCE) return known;
    const ajv = createAjv(draft, (pattern) => this.#patterns.push(pattern));
    const instance = {
      ajv,
      compiles: 0,
      ownRefs: new Set(Object.keys(ajv.refs)),
      ownSchemas: new Set(Object.keys(ajv.schemas)),
    };
    this.#instances.set(draft, instance);
    return instance;
  }
}

function refuseInvalid(ajv: Ajv, schema: JsonValue): asserts schema is JsonObject | boolean {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) {
    throw new Refusal('', 'must be an object or a boolean');
  }
  if (ajv.validateSchema(schema) !== true) {
    const { path, message } = describeErrors(ajv.errors ?? []);
    throw new Refusal(path, message);
  }
}

function generateCode(ajv: Ajv, schema: JsonObject | boolean): string {
  try {
    return standaloneCode(ajv, ajv.compile(schema));
  } catch (error) {
    if (error instanceof RangeError || !(error instanceof Error)) throw error;
    if (error instanceof SyntaxError) throw invalidPattern(schema, error);
    if (error instanceof MissingRefError) throw missingReference(schema, error.missingRef);
    throw new Refusal('', clip(error.message, 300));
  }
}

// The package is CommonJS and exports its function both as the module and as its default.
const standaloneCode = (
  typeof standalone === 'function' ? standalone : (standalone as { default: unknown }).default
) as typeof import('ajv/dist/standalone/index.js').default;

function refuseUnusableReferences(schema: JsonValue): void {
  const schemas = new Map<JsonObject, string>();
  walkSchemas(schema, (part, pointer) => {
    schemas.set(part, pointer);
    // ajv looks up references in an object with a prototype.
    if (typeof part.$ref === 'string' && part.$ref in Object.prototype) throw outside(part.$ref, pointer);
  });
  const ring = findReferenceRing(schema, schemas);
  if (ring !== undefined) throw new Refusal(ring, 'its references form an endless loop');
}

/** Finds the place of an unresolved reference; ajv only reports what it resolved to. */
function missingReference(schema: JsonValue, missing: string): Refusal {
  let refusal = outside(missing, '');
  walkSchemas(schema, (part, pointer) => {
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const reference = part[keyword];
      if (typeof reference === 'string' && reference !== '' && missing.endsWith(reference)) {
        refusal = outside(reference, `${pointer}/${keyword}`);
      }
    }
  });
  return refusal;
}

/** Finds the place of an invalid pattern; the engine only reports what is wrong with it. */
function invalidPattern(schema: JsonValue, error: SyntaxError): Refusal {
  let refusal = new Refusal('', clip(error.message, 300));
  walkSchemas(schema, ({ pattern, patternProperties }, pointer) => {
    if (isInvalidPattern(pattern)) refusal = new Refusal(`${pointer}/pattern`, refusal.message);
    if (isJsonObject(patternProperties) && Object.keys(patternProperties).some(isInvalidPattern)) {
      refusal = new Refusal(`${pointer}/patternProperties`, refusal.message);
    }
  });
  return refusal;
}

function isInvalidPattern(pattern: unknown): boolean {
  try {
    if (typeof pattern === 'string') createPattern(pattern, unlimitedBudget);
    return false;
  } catch {
    return true;
  }
}

function outside(reference: string, path: string): Refusal {
  return new Refusal(
    path,
    `refers to ${JSON.stringify(clip(reference, 200))}, which is not in this schema; nothing is fetched`,
  );
}

/** Ids of one client's schema must not be visible to the next one's. */
function forget(instance: Instance, schema: JsonValue): void {
  const { ajv, ownRefs, ownSchemas } = instance;
  if (isJsonObject(schema)) ajv.removeSchema(schema);
  for (const key of Object.keys(ajv.refs)) if (!ownRefs.has(key)) delete ajv.refs[key];
  for (const key of Object.keys(ajv.schemas)) if (!ownSchemas.has(key)) delete ajv.schemas[key];
}
