const locale = undefined;
const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const day = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric' });
const dayWithYear = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', day: 'numeric' });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const whole = new Intl.NumberFormat(locale);
const compact = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });

/** A moment in the reader's time zone: only the time for today, and the date too for earlier days. */
export function formatMoment(iso: string, now = new Date()): string {
  const date = new Date(iso);
  if (date.toDateString() === now.toDateString()) return time.format(date);
  const form = date.getFullYear() === now.getFullYear() ? day : dayWithYear;
  return `${form.format(date)}, ${time.format(date)}`;
}

/** The exact moment in the reader's time zone and in UTC, shown on hover. */
export function formatExactly(iso: string): string {
  return `${exact.format(new Date(iso))}\n${iso}`;
}

export function formatDuration(ms: number): string {
  if (ms === 0) return '0';
  if (ms < 1) return '<1 ms';
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(ms < 9_995 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

export function formatCost(dollars: number): string {
  if (dollars === 0) return '$0';
  if (dollars < 0.01) return `$${dollars.toPrecision(2)}`;
  return `$${dollars.toFixed(2)}`;
}

export const formatCount = (count: number): string => whole.format(count);
export const formatCompact = (count: number): string => compact.format(count);

export function formatScore(score: number): string {
  return (
    (score > 0 ? '+' : '') +
    score
      .toFixed(2)
      .replace(/\.?0+$/, '')
      .replace(/^-0$/, '0')
  );
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
