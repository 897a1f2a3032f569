import type { JsonObject } from '../../core/json.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import { withoutCovered } from '../../pii/lists.js';
import { definePlugin } from '../contract/define-plugin.js';
import type { Found, PlacedFound } from '../text-guard/found.js';
import { checkGuard } from '../text-guard/guard-config.js';
import { guardFunctions } from '../text-guard/guard-functions.js';
import { LocalEngine } from '../text-guard/local-engine.js';
import type { PreparedGuard } from '../text-guard/prepared-guard.js';
import { followedBy } from '../text-guard/readings.js';
import { scanPool } from '../text-guard/scan-pool.js';
import { streamWindowFor } from '../text-guard/stream-window.js';
import { configSchema, REJECTION_MESSAGE, type TextRule, type TextRulesConfig } from './config.js';
import { createRulesScanner, entriesOf, RULES_SCANNER } from './scanner.js';

/** Finds the operator's own words and patterns; rejects them, masks them or only records them. */
export const textRules = definePlugin<TextRulesConfig, PreparedGuard>({
  name: 'text_rules',
  description:
    'Finds words and patterns that the operator denies, and rejects them, masks them or notes them in the log.',
  configSchema,
  ...guardFunctions('text_rule', REJECTION_MESSAGE),

  prepare: (config) => {
    checkGuard(config);
    const { rules } = config;
    const streamWindow = streamWindowFor(rules.flatMap(entriesOf));
    const engine = new LocalEngine({
      scanner: createRulesScanner(config),
      spec: { kind: RULES_SCANNER, options: config },
      pool: scanPool,
      longestRun: 0,
      streamWindow,
    });
    return {
      settings: config,
      engine,
      // With escapes, what a rule matches can take many times as many characters.
      keepFrom: (text, settled) => atOnce(followedBy(text, streamWindow ?? 0, settled)),
      keep: (found, roleOf) => judge(rules, found, roleOf),
      messageFor: (found) => ruleOf(rules, found).message,
      debug: sayWhich,
    };
  },
});

/** The `debug` output: the number of the rule behind each finding. */
function sayWhich(found: readonly PlacedFound[]): JsonObject {
  if (found.length === 0) return {};
  return { rules: found.map(({ place, explanation }) => ({ place, ...explanation })) };
}

/** The number of findings that are judged in one step. */
const AT_ONCE = 500;

/** The findings of denying rules for the role of the message, except what is allowed there. */
function* judge(
  rules: readonly TextRule[],
  found: readonly PlacedFound[],
  roleOf: (place: string) => string | undefined,
): Steps<PlacedFound[]> {
  const places = new Map<string, { denied: PlacedFound[]; allowed: PlacedFound[] }>();
  for (const [index, one] of found.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) yield;
    const { roles, deny } = ruleOf(rules, one);
    const role = roleOf(one.place);
    if (roles !== undefined && role !== undefined && !roles.includes(role)) continue;
    const at = places.get(one.place) ?? { denied: [], allowed: [] };
    places.set(one.place, at);
    (deny ? at.denied : at.allowed).push(one);
  }
  const kept: PlacedFound[] = [];
  for (const { denied, allowed } of places.values()) {
    const uncovered = yield* withoutCovered(denied, allowed);
    for (const one of uncovered) {
      kept.push(one);
      if (kept.length % AT_ONCE === 0) yield;
    }
  }
  return kept;
}

function ruleOf(rules: readonly TextRule[], { explanation }: Found): TextRule {
  return rules[Number(explanation?.rule) - 1]!;
}
