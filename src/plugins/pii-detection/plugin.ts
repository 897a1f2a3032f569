import type { JsonObject, JsonValue } from '../../core/json.js';
import type { PluginFinding } from '../../core/log-record.js';
import { joinOverlaps, maskChoices, maskMessages } from '../helpers/mask.js';
import { choiceTexts, messageTexts } from '../helpers/texts.js';
import { ConfigMistake } from '../host/config-mistake.js';
import type { Plugin, Result, WindowInput, WindowResult } from '../plugin.js';
import { configSchema, type PiiDetectionConfig } from './config.js';
import { createBuiltInEngine, type DetectorKit, type PiiEngine } from './engine.js';
import { createPresidioEngine } from './presidio.js';
import { recordTexts } from './record-texts.js';
import { type PlacedFinding, scanTexts } from './scan.js';
import { runStart } from './stream-window.js';

const PII_DETECTED = 'pii_detected';

export interface Prepared {
  config: PiiDetectionConfig;
  engine: PiiEngine;
}

/** Finds personal data in all texts of requests and answers; rejects, masks or only notes it. */
export function createPiiDetectionPlugin(kit: DetectorKit): Plugin<Prepared> {
  return {
    name: 'pii_detection',
    description: 'Finds personally identifiable information; rejects it, masks it or notes it on the log.',
    configSchema,

    prepare: (given) => {
      // The schema has filled in the defaults and checked every member.
      const config = given as unknown as PiiDetectionConfig;
      if (config.mask && config.reject_on_detection) {
        throw new ConfigMistake(
          '/mask',
          'needs reject_on_detection: false, since what is rejected cannot go on masked',
        );
      }
      const create = config.engine === 'presidio' ? createPresidioEngine : createBuiltInEngine;
      return { config, engine: create(config, kit) };
    },

    streamFor: ({ engine }) =>
      engine.streamWindow === undefined ? 'whole' : { window: engine.streamWindow },

    request: (input) => {
      const found = scanTexts(input.config.engine, messageTexts(input.messages), () => input.signal);
      return after(found, (findings) =>
        decide(input.config, findings, (places) => maskMessages(input.messages, places)),
      );
    },

    response: (input) => {
      const found = scanTexts(input.config.engine, choiceTexts(input.choices), () => input.signal);
      return after(found, (findings) =>
        decide(input.config, findings, (places) => maskChoices(input.choices, places)),
      );
    },

    responseWindow: (input) => {
      const found = scanTexts(input.config.engine, [{ place: '', text: input.text }], () => input.signal);
      return after(found, (findings) => decideOnWindow(input, findings));
    },

    log: (input) => {
      const found = scanTexts(input.config.engine, recordTexts(input.record), () => input.signal);
      return after(found, (findings) => notes(input.config, findings));
    },
  };
}

function decide<Content>(
  { config, engine }: Prepared,
  found: readonly PlacedFinding[],
  mask: (findings: PluginFinding[]) => Content,
): Result<Content> {
  const said = notes({ config, engine }, found);
  if (found.length === 0) return { action: 'pass', ...said };
  if (config.reject_on_detection) return { action: 'reject', ...rejection(config), ...said };
  return config.mask
    ? { action: 'modify', content: mask(said.findings), ...said }
    : { action: 'pass', ...said };
}

/** What starts where the text is not settled comes again with more of it, and may then turn out to be something else. */
function decideOnWindow(
  { config: prepared, text, released, settled, final }: WindowInput<Prepared>,
  found: readonly PlacedFinding[],
): WindowResult {
  const { config, engine } = prepared;
  const keepFrom = final ? settled : runStart(text, settled, engine.longestRun);
  const certain = found.filter((finding) => finding.start < keepFrom && finding.end > released);
  const said = notes(prepared, certain);
  if (config.reject_on_detection && certain.length > 0)
    return { action: 'reject', ...rejection(config), ...said };
  if (!config.mask) return { action: 'pass', keepFrom, ...said };
  const spans = joinOverlaps(found.map(({ start, end, entityType }) => ({ start, end, type: entityType })));
  const replacements = spans.map(({ start, end, type }) => ({ start, end, replacement: `<${type}>` }));
  return { action: 'replace', spans: replacements, keepFrom, ...said };
}

function rejection(config: PiiDetectionConfig): { message: string; code: string; status: number } {
  return { message: config.rejection_message, code: PII_DETECTED, status: 400 };
}

function notes(
  { config, engine }: Prepared,
  found: readonly PlacedFinding[],
): { findings: PluginFinding[]; debug?: JsonValue } {
  const findings = found.map(({ entityType, place, start, end, score }) => {
    return { type: entityType, place, start, end, score };
  });
  const debug: JsonObject = {};
  if (!engine.languageSupported) {
    debug.language = `There is no model for '${config.language}': only what needs none was looked for.`;
  }
  if (config.return_decision_process && found.length > 0) debug.decisions = found.map(decision);
  return Object.keys(debug).length === 0 ? { findings } : { findings, debug };
}

function decision({ entityType, place, score, explanation }: PlacedFinding): JsonObject {
  return { entity_type: entityType, place, score, ...explanationOf(explanation) };
}

function explanationOf(explanation: PlacedFinding['explanation']): JsonObject {
  if (explanation === undefined) return {};
  const { recognizer, pattern, baseScore, validation, contextWord, reason } = explanation;
  return {
    recognizer,
    base_score: baseScore,
    ...(pattern === undefined ? {} : { pattern }),
    ...(validation === undefined ? {} : { validation }),
    ...(contextWord === undefined ? {} : { context_word: contextWord }),
    ...(reason === undefined ? {} : { reason }),
  };
}

function after<Value, Next>(value: Value | Promise<Value>, go: (value: Value) => Next): Next | Promise<Next> {
  return value instanceof Promise ? value.then(go) : go(value);
}
