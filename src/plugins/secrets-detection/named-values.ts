import { looksMadeUp, looksRandom, looksTyped } from './randomness.js';
import { BEHIND_ESCAPE, type SecretPattern } from './secret-pattern.js';

const PLACEHOLDER =
  /^(?:pass(?:word|wd)?|secret|user(?:name)?|pw|pwd|x+|\*+|\.+|none|null|root|admin|test|foo|bar|guest|postgres)$/i;
const VARIABLE = /^\$\w+$/;
const isPassword = (text: string) =>
  text.length >= 4 && !PLACEHOLDER.test(text) && !VARIABLE.test(text) && !looksMadeUp(text);

/** Quotes in code, and in JSON that is inside a JSON string. */
const QUOTE = String.raw`\\{0,3}["']`;
const SIGN = String.raw`\s{0,4}(?::|=|=>|:=)\s{0,4}`;
const PASSWORD = 'passw(?:or)?d|passphrase|pwd';
const KEY =
  '(?:api|secret|access|private|encryption|signing|app|account|shared|master|license)[_-]?key|client[_-]?secret';
const TOKEN = '(?:auth|access|refresh|bearer|bot|id|api|deploy|session|service|registration)[_-]?token';
/** A name that ends in `token`, except tokens for paging and forms. */
const ANY_TOKEN = '(?<!(?:page|next|continuation|csrf|xsrf|cancellation)[_-]?)token';
/** A name that ends in `secret`, except as part of a name with colons, such as that of a resource. */
const ANY_SECRET = '(?<!:|::\\w{1,24})secret';
const VALUE = String.raw`A-Za-z0-9+/=_.~!@#%^&*\-`;
const SECRET_IN_URL = '(?:[^\\s:@/"\'`<>{}$*]|\\$(?![{(]))';

function named(type: string, source: string, flags: string, more: Partial<SecretPattern>): SecretPattern {
  const behindEscapes = source.replace(/^\\b/, `(?:\\b|${BEHIND_ESCAPE})`);
  return { type, pattern: new RegExp(behindEscapes, `g${flags}`), ...more };
}

/** Secrets without a form of their own. The text before or around them identifies them. */
export const NAMED_VALUES: readonly SecretPattern[] = [
  named(
    'CONNECTION_STRING',
    String.raw`\b[a-z][a-z0-9+.-]{1,24}:\/\/(?:[^\s:@/"'\`<>{}$%]|%[0-9a-f]{2}){0,64}:(?<secret>${SECRET_IN_URL}{1,128}(?:[:@]${SECRET_IN_URL}{1,64}){0,3})@[a-z0-9[]`,
    'i',
    { sign: /:\/\/[^\s/@]{0,200}@/, check: isPassword },
  ),
  named(
    'CONNECTION_STRING',
    String.raw`\b[\w.-]{1,64}:(?<secret>[^\s:@/"'\`<>{}$*]{4,128})@(?:tcp|unix)\(`,
    '',
    { sign: /@(?:tcp|unix)\(/, check: isPassword },
  ),
  named(
    'CONNECTION_STRING',
    String.raw`(?:\b(?:server|data source|host|endpoint|dbname)=|\bjdbc:[a-z]{2,16}:)[^\n"'\`<>]{1,200}?(?:password|pwd)=(?<secret>[^\s;&"'\`<>{}$*]{6,128})`,
    'i',
    { sign: /(?:password|pwd)=/i, check: isPassword },
  ),
  named(
    'CONNECTION_STRING',
    String.raw`\buser=[^\s,"'\`<>]{1,64}\s[^\n,"'\`<>]{0,64}?password=(?<secret>[^\s,;&"'\`<>{}$*()]{6,128})`,
    '',
    { sign: /\buser=/, check: isPassword },
  ),
  named(
    'AUTHORIZATION',
    String.raw`\bauthorization(?:${QUOTE})?\s{0,4}[:=]\s{0,4}[bfru]?(?:${QUOTE})?(?:bearer|basic|token|bot|apikey)\s{1,4}(?<secret>[A-Za-z0-9+/=._~-]{20,512})`,
    'i',
    { sign: /authorization/i },
  ),
  named(
    'AUTHORIZATION',
    String.raw`\bauthorization(?:${QUOTE})?\s{0,4}[:=]\s{0,4}(?:${QUOTE})?(?<secret>[A-Za-z0-9+/=_~-]{20,512})(?![.(])`,
    'i',
    { sign: /authorization/i, check: looksTyped },
  ),
  named(
    'GENERIC_SECRET',
    String.raw`(?:${KEY}|${TOKEN}|${PASSWORD})(?:${QUOTE})?${SIGN}(?:${QUOTE})(?<secret>[${VALUE}():]{16,256})\\{0,3}["']`,
    'i',
    {
      sign: /key|secret|token|pass|pwd/i,
      check: (secret) => looksRandom(secret) && /[0-9]/.test(secret) && /[A-Za-z]/.test(secret),
    },
  ),
  // Settings without quotes (environment variables, YAML, properties), and short settings in quotes.
  named(
    'GENERIC_SECRET',
    `(?:${KEY}|${TOKEN}|${ANY_TOKEN}|${PASSWORD}|${ANY_SECRET})(?:${QUOTE})?${SIGN}(?:${QUOTE})?(?<secret>[${VALUE}]{8,256})(?![${VALUE}:()[{$])`,
    'i',
    { sign: /(?:key|secret|token|passw(?:or)?d|passphrase|pwd)\\{0,3}["']?\s{0,4}[:=]/i, check: looksTyped },
  ),
  named(
    'GENERIC_SECRET',
    `(?<=[A-Z0-9])(?<!PUBLIC|CACHE|SORT|PARTITION|IDEMPOTENCY)_(?:KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIALS?)=["']?(?<secret>[${VALUE}]{8,256})(?![${VALUE}:()[{$])`,
    '',
    { sign: /_(?:KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIALS?)=/, check: looksTyped },
  ),
  named(
    'GENERIC_SECRET',
    String.raw`--(?:password|passwd|token|api-key|secret|secret-key|access-token)\s{1,2}["']?(?<secret>[${VALUE}]{8,256})(?![${VALUE}:()[{$])`,
    '',
    { sign: /--(?:passw|token|api-key|secret|access-token)/, check: looksTyped },
  ),
  named(
    'GENERIC_SECRET',
    String.raw`\b(?:x-[a-z-]{0,24}(?:key|token)|private-token|api-?key)\s{0,2}:\s{0,2}(?<secret>[A-Za-z0-9+/=_.~-]{16,256})(?![${VALUE}:()[{$])`,
    'i',
    { sign: /(?:key|token)\s{0,2}:/i, check: looksTyped },
  ),
  named('GENERIC_SECRET', String.raw`\bdjango-insecure-[^\s"'\\]{30,80}`, '', {
    sign: /django-insecure-/,
  }),
  // A private key of PuTTY, and one in JSON (RFC 7517).
  named(
    'PRIVATE_KEY',
    String.raw`\bPrivate-Lines: \d{1,3}\r?\n(?<secret>[A-Za-z0-9+/=]{1,64}(?:\r?\n(?!Private-)[A-Za-z0-9+/=]{1,64}){0,100})`,
    '',
    { sign: /\bPrivate-Lines:/ },
  ),
  named('PRIVATE_KEY', String.raw`"[dk]"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9_-]{20,1400})"`, '', {
    sign: /"kty"/,
  }),
  // The configuration files of npm, netrc and Docker, and arguments of curl.
  named(
    'GENERIC_SECRET',
    String.raw`:_(?:authToken|auth|password)\s?=\s?"?(?<secret>[A-Za-z0-9+/=_.~-]{12,512})`,
    '',
    {
      sign: /:_(?:auth|password)/,
    },
  ),
  named(
    'GENERIC_SECRET',
    String.raw`\bmachine\s{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}(?<secret>[^\s"'{}<>$]{4,256})`,
    '',
    { sign: /\bmachine\s/, check: isPassword },
  ),
  named('GENERIC_SECRET', String.raw`"auth"\s{0,4}:\s{0,4}"(?<secret>[A-Za-z0-9+/]{8,512}={0,2})"`, '', {
    sign: /"auth"/,
    check: isNameAndPassword,
  }),
  named(
    'GENERIC_SECRET',
    String.raw`\bcurl\b[^\n]{0,96}?\s(?:-u|--user)[ =]?["']?[^\s:"']{1,64}:(?<secret>[^\s"'$<>{}]{4,128})`,
    '',
    { sign: /\bcurl\b/, check: isPassword },
  ),
];

function isNameAndPassword(encoded: string): boolean {
  const [name, password] = Buffer.from(encoded, 'base64').toString('utf8').split(':', 2);
  return /^[\x20-\x7e]+$/.test(name ?? '') && isPassword(password ?? '');
}
