/**
 * Whether a bare host name is one: `user.id`, `main.py` and `Makefile.am` end like hosts too. A top-level domain
 * that is also an attribute or a file ending counts only after a word that announces an address; in source code only
 * strings and comments have hosts.
 */

/** Endings that stand in text for attributes and files far more often than for domains. */
const DOUBTFUL = new Set(
  (
    'name id info in is to at do no my me it us am ac as ad ag al ar ba bd be bh cd cc ci cl co cr cu cy ee es fi fo ge gl gr gs ' +
    'gt hr ht hu im int jo ke kg la lb li ls lt lu lv ly ma mc md mk ml mm mn mo mp ms mt mx nc ne ng ni np nu om pa pe pk pl ' +
    'pm pn pr ps pt pw py qa re ro rs sa sc se sg sh si sk sl sm sn so sr st su sv sy tc td tf tg th tj tk tm tn tr tt tv vc vg ' +
    'email store group page work top pro host live team media services company design studio network software systems site today ' +
    'world life news online shop tech cloud digital space agency solutions academy global club wiki website cat jobs'
  ).split(' '),
);
/** Countries whose hosts are common in prose, and whose codes are no words and no endings of files. */
const PLAIN_IN_PROSE = new Set('it es be se fi pl pt gr hu ro lt lu lv mx co tv me us'.split(' '));
const ANNOUNCED =
  /(?:web\s?site|site|domain|host|server|homepage|page|url|visit|browse|online at|go to|link|web|dominio|página|seite|adresse|unter|auf|sur)\s?(?:is|at|on|to|es|ist|est|:|=)?\s?["'(<]?$/i;
const CONTEXT_UNITS = 24;
const MAX_IMPORT_PATH = 200;

/** The host of an address without scheme: up to its port or path. */
function hostOf(address: string): string {
  const end = address.search(/[:/?#]/);
  return end < 0 ? address : address.slice(0, end);
}

/** `"golang.org/x/tools"` alone on its line, or after a name: what a program imports. */
function isImport(text: string, start: number, end: number): boolean {
  if (text[start - 1] !== '"' || text[end] !== '"' || end - start > MAX_IMPORT_PATH) return false;
  const lineStart = text.lastIndexOf('\n', Math.max(start - 1, 0)) + 1;
  const before = start - lineStart > 64 ? '-' : text.slice(lineStart, start - 1);
  return (
    /^\s*(?:import\s+)?(?:[\w.]+\s+)?$/.test(before) && /^"\s*(?:$|\n|\/\/)/.test(text.slice(end, end + 8))
  );
}

/** A line of YAML or of an INI file that names a host: `host: mail.example.co.za`. */
const HOST_FIELD = /(?:^|\n)[ \t]*(?:- )?[\w.-]{0,20}(?:host|hostname|server|domain|fqdn|endpoint) ?[:=] ?$/i;

function isHostField(text: string, start: number, end: number): boolean {
  if (!/^[ \t]*\r?(?:\n|$)/.test(text.slice(end, end + 8))) return false;
  return HOST_FIELD.test(text.slice(Math.max(0, start - 56), start));
}

/** `kind` says where the address [start, end) stands. */
export function isHost(
  text: string,
  start: number,
  end: number,
  kind: 'prose' | 'literal' | 'code',
): boolean {
  if (kind === 'code' && !isHostField(text, start, end)) return false;
  const host = hostOf(text.slice(start, end));
  const next = text[end];
  if (host.includes('_') || next === '(' || next === '[' || next === '$' || next === '{') return false;
  const before = text[start - 1];
  if (before === '$' || before === '\\' || before === '#') return false;
  if (kind === 'literal' && isImport(text, start, end)) return false;
  const domain = host.slice(host.lastIndexOf('.') + 1).toLowerCase();
  const isPlain = !DOUBTFUL.has(domain) || (kind === 'prose' && PLAIN_IN_PROSE.has(domain));
  if (isPlain) return kind === 'prose' || host === host.toLowerCase() || host === host.toUpperCase();
  return ANNOUNCED.test(text.slice(Math.max(0, start - CONTEXT_UNITS), start));
}
