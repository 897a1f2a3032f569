/**
 * Joins the parts of the detector: normalise the text, recognize block by block, weigh candidates by their context,
 * read names, apply the lists, resolve overlaps. All of it is one generator of bounded steps. The synchronous call
 * runs it to the end; the asynchronous one lets other work run between steps.
 */

import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodeTable } from './codes.js';
import { raiseColumnValues } from './columns/column-values.js';
import { applyContext, isPartOfWord } from './context.js';
import { ContextWords } from './context-words.js';
import { type Layout, LayoutScan, placeOf } from './layout/layout.js';
import { type ListMatch, TermList, withoutCovered } from './lists.js';
import { guessLanguage } from './model/language.js';
import { NAME_LANGUAGES, nameModel } from './model/names.js';
import type { NameSpan } from './name-span.js';
import { readNames } from './names/read.js';
import { type Normalized, normalizeSteps, originalSpan, unchanged } from './normalize.js';
import { type Ranked, resolveSteps } from './overlap.js';
import { DETECTOR_PARTS, type DetectorPart } from './parts.js';
import { type Candidate, candidate, type Recognizer } from './recognizer.js';
import { isHost } from './recognizers/url-host.js';
import { codes, NAME_TYPES, recognizers } from './registry.js';
import { blockOf } from './runs.js';
import { Thresholds } from './thresholds.js';
import {
  type DetectOptions,
  type Detector,
  ENTITY_TYPES,
  type Finding,
  OPTIONAL_ENTITY_TYPES,
  PiiOptionsError,
  REGIONS,
  wantedTypes,
} from './types.js';

/** The length of a block in UTF-16 units. Each step recognizes what begins in one block. */
const BLOCK = 1024;
/** The longest stretch of work before other work gets its turn. */
const TURN_MS = 4;
const AUTO = 'auto';
/** Findings that are handled in one step. */
const GROUP = 256;
/** Findings that are handled in one step where each takes little work. */
const MOST_AT_ONCE = 4_096;

const KNOWN_TYPES: ReadonlySet<string> = new Set(['all', ...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES]);

type Steps<T> = Generator<void, T>;
type Scored = Ranked & Partial<Omit<Candidate, 'entityType'>>;

function checkOptions(options: DetectOptions): void {
  const { entities = [], regions = [], language = AUTO, context = [] } = options;
  entities.forEach((entity, i) => {
    if (!KNOWN_TYPES.has(entity))
      throw new PiiOptionsError(`entities[${i}]`, `unknown entity type "${entity}"`);
  });
  regions.forEach((region, i) => {
    if (!REGIONS.includes(region))
      throw new PiiOptionsError(
        `regions[${i}]`,
        `no identifiers are known for "${region}"; expected one of ${REGIONS.join(', ')}`,
      );
  });
  if (regions.length > 0 && !entities.includes('all'))
    throw new PiiOptionsError('regions', 'has an effect only where "entities" contains "all"');
  if (typeof language !== 'string' || language === '')
    throw new PiiOptionsError('language', 'expected a language code');
  (options.without ?? []).forEach((part, i) => {
    if (!DETECTOR_PARTS.includes(part))
      throw new PiiOptionsError(
        `without[${i}]`,
        `unknown part "${part}"; expected one of ${DETECTOR_PARTS.join(', ')}`,
      );
  });
  context.forEach((word, i) => {
    if (typeof word !== 'string' || word.trim() === '')
      throw new PiiOptionsError(`context[${i}]`, 'expected a word');
  });
}

function fromName(span: NameSpan): Candidate {
  const { type, start, end, score } = span;
  const pattern = type.toLowerCase();
  return candidate({ entityType: type, start, end, score, recognizer: 'name-model', pattern });
}

/** False for what looks like a host name but stands in code, or is an attribute or a file name. */
function isPlausible(text: string, { recognizer, pattern, start, end }: Candidate, layout: Layout): boolean {
  return recognizer !== 'url' || pattern !== 'host' || isHost(text, start, end, placeOf(layout, start));
}

/** The score of a telephone number that has a possible length for its country. */
const POSSIBLE_PHONE = 0.6;

/** Drops candidates that are part of a telephone number, such as `912 604 738` in `+351 912 604 738`. */
function withoutPartsOfPhones(text: string, found: Candidate[]): Candidate[] {
  const isWhole = ({ entityType, start, baseScore }: Candidate) =>
    entityType === 'PHONE_NUMBER' && text.charAt(start) === '+' && baseScore >= POSSIBLE_PHONE;
  if (found.length === 1 || !found.some(isWhole)) return found;
  const phones = found.filter(isWhole);
  const isPart = (one: Candidate) => phones.some(({ start, end }) => start < one.start && one.end <= end);
  return found.filter((one) => one.entityType === 'PHONE_NUMBER' || !isPart(one));
}

class TextDetector implements Detector {
  readonly languageSupported: boolean;
  readonly #language: string;
  readonly #thresholds: Thresholds;
  readonly #explain: boolean;
  readonly #recognizers: readonly Recognizer[];
  readonly #codes: CodeTable;
  readonly #names: ReadonlySet<string>;
  readonly #without: ReadonlySet<DetectorPart>;
  readonly #allow: TermList | undefined;
  readonly #deny: TermList | undefined;
  readonly #context: ContextWords | undefined;

  constructor(options: DetectOptions) {
    checkOptions(options);
    const wanted = wantedTypes(options.entities, options.regions);
    this.#language = (options.language ?? AUTO).toLowerCase().split(/[-_]/)[0]!;
    this.languageSupported = this.#language === AUTO || NAME_LANGUAGES.includes(this.#language);
    this.#thresholds = new Thresholds(options.scoreThreshold);
    this.#explain = options.explain ?? false;
    this.#recognizers = recognizers.filter(({ entityType }) => wanted.has(entityType));
    this.#codes = new CodeTable(codes.filter(({ entityType }) => wanted.has(entityType)));
    this.#without = new Set(options.without);
    this.#names = new Set(this.#without.has('names') ? [] : NAME_TYPES.filter((type) => wanted.has(type)));
    if (options.allowList?.length) this.#allow = new TermList(options.allowList, 'allowList');
    if (options.denyList?.length) this.#deny = new TermList(options.denyList, 'denyList');
    if (options.context?.length)
      this.#context = new ContextWords(options.context.map((word) => word.trim().toLowerCase()));
    if (this.#names.size > 0) nameModel();
  }

  detectSync(text: string): Finding[] {
    return run(this.steps(text));
  }

  candidates(text: string): Finding[] {
    return run(this.#candidateSteps(text));
  }

  async detect(text: string, signal?: AbortSignal): Promise<Finding[]> {
    signal?.throwIfAborted();
    const steps = this.steps(text);
    let turnEnd = performance.now() + TURN_MS;
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value;
      if (performance.now() < turnEnd) continue;
      await nextTurn();
      signal?.throwIfAborted();
      turnEnd = performance.now() + TURN_MS;
    }
  }

  *#candidateSteps(text: string): Steps<Finding[]> {
    const normalized = yield* normalizeSteps(text);
    const found = yield* this.#recognize(normalized.text);
    found.sort((a, b) => a.start - b.start || b.score - a.score);
    return found.filter(({ score }) => score > 0).map((one) => this.#finding(one, normalized, text, true));
  }

  *steps(text: string): Steps<Finding[]> {
    const normalized = unchanged(text) ?? (yield* normalizeSteps(text));
    const all = yield* this.#recognize(normalized.text);
    const kept: Scored[] = all.filter(({ entityType, score }) => score >= this.#thresholds.of(entityType));
    const hasLists = this.#allow !== undefined || this.#deny !== undefined;
    const listed = hasLists ? yield* this.#applyLists(normalized.text, kept) : kept;
    if (listed.length === 0) return [];
    const resolved = yield* resolveSteps(listed);
    const findings: Finding[] = [];
    for (const one of resolved) {
      findings.push(this.#finding(one, normalized, text, this.#explain));
      if (findings.length % GROUP === 0) yield;
    }
    return findings;
  }

  /** Every candidate with its score. The candidates of a block are weighed together before the next block is read. */
  *#recognize(text: string): Steps<Candidate[]> {
    const layout = yield* new LayoutScan(text).steps();
    const all: Candidate[] = [];
    for (let from = 0; from < text.length; from += BLOCK) {
      const to = Math.min(text.length, from + BLOCK);
      const block = blockOf(text, from, to);
      const found: Candidate[] = [];
      const report = (candidate: Candidate) => void found.push(candidate);
      for (const recognizer of this.#recognizers)
        if (block.mostDigits >= (recognizer.fewestDigits ?? 0)) recognizer.find(block, report);
      this.#codes.find(block, report);
      if (found.length > 0) {
        if (!this.#without.has('context')) applyContext(text, found, this.#context);
        for (const candidate of withoutPartsOfPhones(text, found))
          if (!isPartOfWord(candidate) && isPlausible(text, candidate, layout)) all.push(candidate);
      }
      if (text.length > BLOCK) yield;
    }
    if (!this.#without.has('fields')) yield* raiseColumnValues(text, all);
    if (this.#names.size > 0) {
      const language = this.#language === AUTO ? guessLanguage(text) : this.#language;
      const names = yield* readNames(text, layout, language, this.#without);
      for (let i = 0; i < names.length; i++) {
        if (this.#names.has(names[i]!.type)) all.push(fromName(names[i]!));
        if (i % MOST_AT_ONCE === MOST_AT_ONCE - 1) yield;
      }
    }
    return all;
  }

  *#applyLists(text: string, found: Scored[]): Steps<Scored[]> {
    let kept = found;
    if (this.#allow !== undefined && found.length > 0) {
      kept = yield* withoutCovered(found, yield* this.#allow.matches(text));
    }
    if (this.#deny === undefined) return kept;
    const denied = yield* this.#deny.matches(text);
    return [...kept, ...denied.map(toDenied)];
  }

  #finding(found: Scored, normalized: Normalized, text: string, explain: boolean): Finding {
    const [start, end] = originalSpan(normalized, found.start, found.end, text);
    const finding: Finding = { entityType: found.entityType, start, end, score: found.score };
    if (explain) finding.explanation = explanationOf(found);
    return finding;
  }
}

function toDenied(match: ListMatch): Scored {
  const { start, end, entry } = match;
  return {
    entityType: 'DENY_LIST',
    start,
    end,
    score: 1,
    baseScore: 1,
    recognizer: 'deny-list',
    pattern: entry,
  };
}

function explanationOf(found: Scored): Finding['explanation'] {
  const { recognizer = '', pattern, baseScore = 0, validation = 'none', contextWord, reason } = found;
  return {
    recognizer,
    pattern,
    baseScore,
    validation,
    ...(contextWord !== undefined && { contextWord }),
    ...(reason !== undefined && { reason }),
  };
}

function run<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

export function createDetector(options: DetectOptions = {}): Detector {
  return new TextDetector(options);
}
