import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { Thresholds } from '../../pii/thresholds.js';
import { ENTITY_TYPES, type EntityType, type Finding } from '../../pii/types.js';
import { PluginFault } from '../contract/fault.js';
import { createJsonPost } from '../helpers/json-post.js';
import type { PlacedText } from '../helpers/texts.js';
import {
  budgetMs,
  NotSeen,
  type PlacedFound,
  type ScanLimits,
  type TextEngine,
} from '../text-guard/found.js';
import type { PiiDetectionConfig } from './config.js';
import type { PiiEngine } from './engine.js';
import { createChecked, toFound } from './scanner.js';

type Find = (text: string, signal: AbortSignal) => Promise<Finding[]>;

/**
 * Calls a running Presidio analyzer (`POST /analyze`). Allow and deny lists are applied here for both engines, so
 * that a configuration means the same.
 */
export function createPresidioEngine(config: PiiDetectionConfig): PiiEngine {
  const post = createJsonPost(`${(config.presidio_url ?? '').replace(/\/+$/, '')}/analyze`);
  const allowed = createListMatcher(config.allow_list);
  const denied = createListMatcher(config.deny_list);
  const thresholds = new Thresholds(config.score_threshold);

  const find: Find = async (text, signal) => {
    if (text.trim() === '') return [];
    const answer = await post(JSON.stringify(analyzeRequest(text, config)), {}, signal);
    const allowedSpans = await allowed(text, signal);
    const found = readAnswer(answer, text, thresholds).filter(
      (finding) => !allowedSpans.some((span) => span.start <= finding.start && span.end >= finding.end),
    );
    return withoutOverlaps([...(await denied(text, signal)), ...found]);
  };
  const engine: TextEngine = { longestRun: 0, find: (texts, limits) => askInTime(find, texts, limits) };
  return { engine, languageSupported: true };
}

/** The work is done in another process, so the clock measures how long it takes. */
async function askInTime(
  find: Find,
  texts: readonly PlacedText[],
  { timeoutMs, signal }: ScanLimits,
): Promise<PlacedFound[]> {
  const ms = budgetMs(
    timeoutMs,
    texts.reduce((sum, { text }) => sum + text.length, 0),
  );
  const deadline = AbortSignal.timeout(ms);
  const either = AbortSignal.any([signal, deadline]);
  try {
    const found = await Promise.all(
      texts.map(async ({ place, text }) =>
        (await find(text, either)).map((finding) => ({ place, ...toFound(finding) })),
      ),
    );
    return found.flat();
  } catch (error) {
    if (deadline.aborted && !signal.aborted) throw new NotSeen(`gave no result within ${ms} ms`);
    throw error;
  }
}

function analyzeRequest(text: string, config: PiiDetectionConfig): JsonObject {
  return {
    text,
    language: config.language,
    // Without `entities`, Presidio looks for everything that it knows.
    ...(config.entities?.includes('all') ? {} : { entities: [...(config.entities ?? ENTITY_TYPES)] }),
    score_threshold: new Thresholds(config.score_threshold).lowest,
    return_decision_process: config.return_decision_process,
    ...(config.context ? { context: config.context } : {}),
  };
}

/** Finds a list's terms and patterns in a text, as the detector's deny list would. */
function createListMatcher(list: string[] | null | undefined): Find {
  if (!list || list.length === 0) return async () => [];
  const detector = createChecked({ entities: ['MEDICAL_LICENSE'], denyList: list });
  return async (text, signal) =>
    (await detector.detect(text, signal)).filter((finding) => finding.entityType === 'DENY_LIST');
}

function readAnswer(answer: JsonValue, text: string, thresholds: Thresholds): Finding[] {
  if (!Array.isArray(answer)) throw new PluginFault('the Presidio analyzer gave no list of results');
  const offsets = codePointOffsets(text);
  return answer.flatMap((result): Finding[] => {
    if (!isJsonObject(result))
      throw new PluginFault('the Presidio analyzer gave a result that is not an object');
    const { entity_type: type, start, end, score } = result;
    const from = offsets(start);
    const to = offsets(end);
    if (from === undefined || to === undefined || from >= to || typeof score !== 'number') {
      throw new PluginFault('the Presidio analyzer gave a result without place or score');
    }
    if (!isEntityType(type) || score < thresholds.of(type)) return [];
    return [{ entityType: type, start: from, end: to, score, ...explain(result) }];
  });
}

function explain(result: JsonObject): Pick<Finding, 'explanation'> {
  const explanation = result.analysis_explanation;
  if (!isJsonObject(explanation)) return {};
  const text = (value: JsonValue | undefined) =>
    typeof value === 'string' && value !== '' ? value : undefined;
  const base = typeof explanation.original_score === 'number' ? explanation.original_score : 0;
  return {
    explanation: {
      recognizer: text(explanation.recognizer) ?? 'presidio',
      pattern: text(explanation.pattern_name),
      baseScore: base,
      validation: explanation.validation_result === true ? 'passed' : 'none',
      contextWord: text(explanation.supportive_context_word),
      reason: text(explanation.textual_explanation),
    },
  };
}

function isEntityType(value: JsonValue | undefined): value is EntityType {
  return ENTITY_TYPES.some((type) => type === value);
}

/** Converts Presidio's offsets, which count code points, to UTF-16 units. Returns undefined for an invalid offset. */
function codePointOffsets(text: string): (offset: JsonValue | undefined) => number | undefined {
  const offsets = [0];
  let at = 0;
  for (const character of text) {
    at += character.length;
    offsets.push(at);
  }
  return (offset) => (typeof offset === 'number' ? offsets[offset] : undefined);
}

/** Of findings that overlap, a denied term stays, else the one with the higher score, else the longer one. */
function withoutOverlaps(findings: readonly Finding[]): Finding[] {
  const kept: Finding[] = [];
  const rank = (finding: Finding) => (finding.entityType === 'DENY_LIST' ? 2 : finding.score);
  const ranked = [...findings].sort((a, b) => rank(b) - rank(a) || b.end - b.start - (a.end - a.start));
  for (const finding of ranked) {
    if (kept.every((other) => finding.end <= other.start || finding.start >= other.end)) kept.push(finding);
  }
  return kept.sort((a, b) => a.start - b.start);
}
