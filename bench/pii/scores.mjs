/** Compares findings with marks: how many findings of each type are right, wrong or missed, and what their scores were. */

/**
 * A finding is right where its overlap with a mark of the same type is at least this share of the characters that the
 * two cover together.
 */
const OVERLAP = 0.5;
const IGNORED = '_IGNORE';

/** Marks with offsets in UTF-16 units; the files count code points. */
export function marksOf({ text, spans }) {
  if (!/[\ud800-\udfff]/.test(text))
    return spans.map(({ start, end, entity_type: type }) => ({ start, end, type }));
  const units = [0];
  for (const point of text) units.push(units.at(-1) + point.length);
  return spans.map(({ start, end, entity_type: type }) => ({ start: units[start], end: units[end], type }));
}

function common(one, other) {
  return Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));
}

function overlap(one, other) {
  const shared = common(one, other);
  return shared / (one.end - one.start + other.end - other.start - shared);
}

/** Leaves out spans of which at least half is in an ignored stretch. */
function counted(spans, ignored) {
  return spans.filter((span) => !ignored.some((one) => 2 * common(span, one) >= span.end - span.start));
}

export class Scores {
  /** The numbers of right, wrong and missed findings by type. */
  counts = new Map();
  /** [type, score, whether it is right] of each finding. */
  findings = [];

  #count(type, key, more = 1) {
    if (!this.counts.has(type)) this.counts.set(type, { right: 0, wrong: 0, missed: 0 });
    this.counts.get(type)[key] += more;
  }

  /** Adds one text: its marks and findings ({ start, end, type, score }) of these types. */
  add(marks, found, types) {
    const ignored = marks.filter(({ type }) => type === IGNORED);
    const wanted = counted(
      marks.filter(({ type }) => types.includes(type)),
      ignored,
    );
    const given = counted(
      found.filter(({ type }) => types.includes(type)),
      ignored,
    );
    const pairs = [];
    for (const mark of wanted)
      for (const one of given)
        if (mark.type === one.type && overlap(mark, one) >= OVERLAP)
          pairs.push([overlap(mark, one), mark, one]);
    pairs.sort((a, b) => b[0] - a[0]);
    const done = new Set();
    for (const [, mark, one] of pairs) {
      if (done.has(mark) || done.has(one)) continue;
      done.add(mark).add(one);
      this.#count(mark.type, 'right');
    }
    for (const mark of wanted) if (!done.has(mark)) this.#count(mark.type, 'missed');
    for (const one of given) {
      if (!done.has(one)) this.#count(one.type, 'wrong');
      this.findings.push([one.type, one.score, done.has(one)]);
    }
  }

  merge(other) {
    for (const [type, counts] of other.counts)
      for (const key of Object.keys(counts)) this.#count(type, key, counts[key]);
    this.findings.push(...other.findings);
  }

  /** The figures { marked, precision, recall, f1 } of a type. */
  of(type) {
    const { right, wrong, missed } = this.counts.get(type) ?? { right: 0, wrong: 0, missed: 0 };
    const precision = right / (right + wrong || 1);
    const recall = right / (right + missed || 1);
    return { marked: right + missed, precision, recall, f1: (2 * right) / (2 * right + wrong + missed || 1) };
  }
}

/**
 * The findings of a type by tenths of their score: how many there are, their mean score, and the share that is right.
 */
export function reliability(findings, type) {
  const bins = Array.from({ length: 10 }, () => ({ count: 0, score: 0, right: 0 }));
  for (const [kind, score, isRight] of findings) {
    if (kind !== type) continue;
    const bin = bins[Math.min(9, Math.floor(score * 10))];
    bin.count++;
    bin.score += score;
    bin.right += Number(isRight);
  }
  return bins.map(({ count, score, right }) => ({
    count,
    score: score / (count || 1),
    right: right / (count || 1),
  }));
}

/** The mean difference between the score of a finding and the share of such findings that are right. */
export function calibrationError(bins) {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  return (
    bins.reduce((sum, { count, score, right }) => sum + count * Math.abs(score - right), 0) / (total || 1)
  );
}
