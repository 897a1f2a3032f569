import { _, Ajv, type CodeKeywordDefinition, type KeywordCxt, type Options } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { unlimitedBudget } from '../pattern/budget.js';
import { createPattern, type Pattern } from '../pattern/pattern.js';
import type { Draft } from './draft.js';
import { createFormats } from './formats.js';
import { FORMATS_MODULE, PATTERNS_MODULE } from './load-validator.js';

const CLASSES = { '2020-12': Ajv2020, '2019-09': Ajv2019, '07': Ajv };

/** An ajv that reads a client's schema as its draft defines, and generates code. It reports each pattern. */
export function createAjv(draft: Draft, onPattern: (pattern: Pattern) => void): Ajv {
  const ajv = new CLASSES[draft](createOptions(draft, onPattern));
  // Names such as `toString` must not be found on the prototypes of ajv's tables.
  for (const table of [ajv.formats, ajv.refs, ajv.schemas]) Object.setPrototypeOf(table, null);
  // In the drafts `id` is an ordinary name, but ajv refuses it as a keyword.
  ajv.removeKeyword('id');
  repairMultipleOf(ajv);
  if (draft !== '07') repairItems(ajv);
  return ajv;
}

function createOptions(draft: Draft, onPattern: (pattern: Pattern) => void): Options {
  const regExp = (source: string): Pattern => {
    const pattern = createPattern(source, unlimitedBudget);
    onPattern(pattern);
    return pattern;
  };
  return {
    strict: false,
    ownProperties: true,
    logger: false,
    allErrors: false,
    // A schema that is referenced several times is compiled once.
    inlineRefs: false,
    validateSchema: false,
    // In draft 07, keywords beside a reference are ignored.
    ignoreKeywordsWithRef: draft === '07',
    formats: createFormats(unlimitedBudget),
    code: {
      source: true,
      formats: _`require(${FORMATS_MODULE})`,
      regExp: Object.assign(regExp, { code: `require("${PATTERNS_MODULE}").createPattern` }),
    },
  };
}

/**
 * Repairs how ajv tracks which items of a list were evaluated. `contains` evaluates only the items that match, but ajv marks
 * all of them. What becomes known only during validation can be `true`, for all items, which ajv takes for the number 1.
 */
function repairItems(ajv: Ajv): void {
  replaceCode(ajv, 'contains', (code, context) => {
    const { items } = context.it;
    code(context);
    context.it.items = items;
  });
  // `unevaluatedItems` must come last, as in ajv's own order.
  replaceCode(ajv, 'unevaluatedItems', (code, context) => {
    const { gen, it, data } = context;
    const { items } = it;
    if (typeof items === 'object') {
      it.items = gen.const('looked', _`${items} === true ? ${data}.length : ${items} || 0`);
    }
    code(context);
  });
}

/** Two roundings and a division differ from the true quotient by at most this share of it. */
const QUOTIENT_ERROR = 4e-16;

/**
 * Accepts multiples in the way people write them: 0.07 is a multiple of 0.01, although their quotient as doubles is
 * 7.000000000000001. For whole numbers the remainder is exact.
 */
function repairMultipleOf(ajv: Ajv): void {
  replaceCode(ajv, 'multipleOf', (_code, context) => {
    const { gen, data, schemaCode } = context;
    const quotient = gen.const('quotient', _`${data} / ${schemaCode}`);
    const isWhole = _`Number.isInteger(${data}) && Number.isInteger(${schemaCode})`;
    const isNear = _`Math.abs(Math.round(${quotient}) - ${quotient}) <= Math.abs(${quotient}) * ${QUOTIENT_ERROR}`;
    context.fail(_`!(${isWhole} ? ${data} % ${schemaCode} === 0 : ${isNear})`);
  });
}

function replaceCode(
  ajv: Ajv,
  keyword: string,
  replacement: (code: (context: KeywordCxt) => void, context: KeywordCxt) => void,
): void {
  const definition = ajv.getKeyword(keyword);
  if (typeof definition !== 'object') return;
  const known = definition as CodeKeywordDefinition;
  ajv.removeKeyword(keyword);
  ajv.addKeyword({
    ...known,
    code: (context, ruleType) => replacement((given) => known.code(given, ruleType), context),
  });
}
