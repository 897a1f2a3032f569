import type { JsonObject } from '../../core/json.js';
import { withoutCovered } from '../../pii/lists.js';
import { definePlugin } from '../define-plugin.js';
import type { Found, PlacedFound } from '../text-guard/found.js';
import { checkGuard } from '../text-guard/guard-config.js';
import { guardFunctions, type PreparedGuard } from '../text-guard/guard-functions.js';
import { LocalEngine } from '../text-guard/local-engine.js';
import { scanPool } from '../text-guard/scan-pool.js';
import { streamWindowFor } from '../text-guard/stream-window.js';
import { configSchema, REJECTION_MESSAGE, type TextRule, type TextRulesConfig } from './config.js';
import { createRulesScanner, entriesOf, RULES_SCANNER } from './scanner.js';

/** Finds the operator's own words and patterns; rejects, masks or only notes them. */
export const textRules = definePlugin<TextRulesConfig, PreparedGuard>({
  name: 'text_rules',
  description: 'Finds words and patterns that the operator denies; rejects, masks or notes them.',
  configSchema,
  ...guardFunctions('text_rule', REJECTION_MESSAGE),

  prepare: (config) => {
    checkGuard(config);
    const { rules } = config;
    const entries = rules.flatMap(entriesOf);
    const engine = new LocalEngine({
      scanner: createRulesScanner(config),
      spec: { kind: RULES_SCANNER, options: config },
      pool: scanPool,
      longestRun: 0,
      streamWindow: streamWindowFor(entries),
    });
    return {
      settings: config,
      engine,
      keep: (found, roleOf) => judge(rules, found, roleOf),
      messageFor: (found) => ruleOf(rules, found).message,
      debug: sayWhich,
    };
  },
});

/** The number of the rule behind each finding. */
function sayWhich(found: readonly PlacedFound[]): JsonObject {
  if (found.length === 0) return {};
  return { rules: found.map(({ place, explanation }) => ({ place, ...explanation })) };
}

/** What is denied in the role of its message, without what is allowed there. */
function judge(
  rules: readonly TextRule[],
  found: readonly PlacedFound[],
  roleOf: (place: string) => string | undefined,
): PlacedFound[] {
  const due = found.filter((one) => {
    const { roles } = ruleOf(rules, one);
    const role = roleOf(one.place);
    return roles === undefined || role === undefined || roles.includes(role);
  });
  const places = new Map<string, { denied: PlacedFound[]; allowed: PlacedFound[] }>();
  for (const one of due) {
    const at = places.get(one.place) ?? { denied: [], allowed: [] };
    places.set(one.place, at);
    (ruleOf(rules, one).deny ? at.denied : at.allowed).push(one);
  }
  return [...places.values()].flatMap(({ denied, allowed }) => withoutCovered(denied, allowed));
}

function ruleOf(rules: readonly TextRule[], { explanation }: Found): TextRule {
  return rules[Number(explanation?.rule) - 1]!;
}
