/**
 * Decides whether a bare host name is one, because `user.id`, `main.py` and `Makefile.am` have endings of hosts too.
 * A top-level domain that is also an attribute or a file ending counts only after a word that announces an address.
 * In source code, only strings and comments contain hosts.
 */
import { lean } from '../patterns/lean.js';
import { anyOf, readWords } from '../words/words.js';

const { doubtful, plainInProse } = readWords<'doubtful' | 'plainInProse'>('domains');

/** Endings that occur in text for attributes and files far more often than for domains. */
const DOUBTFUL = new Set(anyOf(doubtful).split('|'));
/** Top-level domains of countries whose hosts are common in prose. They are neither words nor endings of files. */
const PLAIN_IN_PROSE = new Set(plainInProse.any!.split('|'));
const ANNOUNCED =
  /(?:web\s?site|site|domain|host|server|homepage|page|url|visit|browse|online at|go to|link|web|dominio|página|seite|adresse|unter|auf|bei|sur)\s?(?:is|at|on|to|es|ist|est|:|=)?\s?["'(<]?$/i;
/** Words near a name in `.pl` that make it a Perl program and not a Polish host. */
const OF_PERL = lean(
  /(?<!\p{L})(?:perl|scripts?|skrypt\p{Ll}{0,3}|files?|plik\p{Ll}{0,3}|run|runs|ran|running|uruchom\p{Ll}{0,4}|edit(?:ed)?|lines?|lini[aię]|błąd|error|errors|warning|compile|cpan|\.pm|cron|call(?:s|ed)?|execute[ds]?|patch(?:ed)?|module|moduł\p{Ll}{0,3}|daemon|bash|Datei|fichier|fichero|archivo|bestand|commit)(?!\p{L})/iu,
);
const PERL_BEHIND = /^(?: line \d|:\d| -| --|`|\(| <)/;
const PERL_UNITS = 40;
/** What follows where only the blank after a full stop is missing: `see you tomorrow.it was fun`. */
const GOES_ON = lean(
  /^ (?:is|was|isn['’]t|wasn['’]t|are|were|has|had|will|would|won['’]t|can|can['’]t|could|did|didn['’]t|does|doesn['’]t|should|may|might|looks?|seems?|works?|worked|takes?|took|makes?|made|feels?|felt|says?|said|keeps?|kept|came|comes?|goes|went|happen(?:s|ed)|started|stopped|fail(?:s|ed)|broke|turned|just|really|all|too|both|need|want|know|think)(?!\p{L})/u,
);
/** Abbreviations without the blank after them: `ecc.il resto`, `d.w.z.de rest`. */
const ABBREVIATION =
  /^(?:(?:\p{L}\.){2,4}\p{L}{2}|(?:ecc|etc|usw|bzw|ca|ggf|evtl|inkl|exkl|nr|abs|str|tel|fig|vol|cap|art|pag|ul|al|itd|itp|np|tzn|enz|bijv|resp|vgl|dott|sig|prof|dr|mr|mrs|ms|mme|sra?|approx|incl|vs)\.\p{L}{2,4})$/iu;
const PRONOUN_ENDINGS = new Set(['it', 'me', 'us', 'is', 'my', 'he', 'we']);
const CONTEXT_UNITS = 24;
const MAX_IMPORT_PATH = 200;

/** The host of an address without scheme: what stands before its port or path. */
function hostOf(address: string): string {
  const end = address.search(/[:/?#]/);
  return end < 0 ? address : address.slice(0, end);
}

/** Whether a string is the path of an import: `"golang.org/x/tools"` alone on its line, or after a name. */
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

/** Whether a name in `.pl` is that of a Perl program. With a path, or with a further dot, it is a host. */
function isPerl(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end);
  if (/\/|\..*\./.test(name)) return false;
  if (PERL_BEHIND.test(text.slice(end, end + 8))) return true;
  return (
    OF_PERL.test(text.slice(Math.max(0, start - PERL_UNITS), start)) ||
    OF_PERL.test(text.slice(end, end + PERL_UNITS))
  );
}

/** Whether [start, end) is a host. `kind` is the kind of text that it stands in. */
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
  if (PRONOUN_ENDINGS.has(domain) && /^\p{L}+\.\p{L}+$/u.test(text.slice(start, end)))
    if (GOES_ON.test(text.slice(end, end + CONTEXT_UNITS))) return false;
  if (ABBREVIATION.test(host)) return false;
  if (domain === 'pl' && kind === 'prose') return !isPerl(text, start, end);
  const isPlain = !DOUBTFUL.has(domain) || (kind === 'prose' && PLAIN_IN_PROSE.has(domain));
  if (isPlain) return kind === 'prose' || host === host.toLowerCase() || host === host.toUpperCase();
  return ANNOUNCED.test(text.slice(Math.max(0, start - CONTEXT_UNITS), start));
}
