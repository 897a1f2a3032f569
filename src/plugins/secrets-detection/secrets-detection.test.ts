import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { atOnce } from '../../core/load/pace.js';
import { createSecretsScanner } from './scanner.js';
import { tokenChecksum } from './token-checks.js';

const scanner = createSecretsScanner();
const find = (text: string) => atOnce(scanner.scan(text));
const told = (text: string) => find(text).map(({ type, start, end }) => [type, text.slice(start, end)]);

const DIGITS_AND_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
let seed = 20_261_122;

/** Letters drawn by a generator, so that no secret stands in this file and each run draws the same. */
function chance(length: number, alphabet = DIGITS_AND_LETTERS): string {
  let text = '';
  while (text.length < length) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    text += alphabet[Math.floor((seed / 0x1_0000_0000) * alphabet.length)];
  }
  return text;
}
const hex = (length: number) => chance(length, '0123456789abcdef');
const capitals = (length: number) => chance(length, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567');

const github = () => {
  const random = chance(30);
  return `ghp_${random}${tokenChecksum(random)}`;
};
const jwt = () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: hex(10), iat: 1 })}.${chance(43)}`;
};

describe('a secret', () => {
  it.each<[string, () => string]>([
    ['AWS_ACCESS_KEY', () => `AKIA${capitals(16)}`],
    ['GITHUB_TOKEN', github],
    ['GITHUB_TOKEN', () => `github_pat_${chance(22)}_${chance(59)}`],
    ['GITLAB_TOKEN', () => `glpat-${chance(20)}`],
    ['SLACK_TOKEN', () => `xoxb-${chance(12, '123456789')}-${chance(24)}`],
    ['STRIPE_KEY', () => `sk_live_${chance(24)}`],
    ['OPENAI_KEY', () => `sk-proj-${chance(40)}T3BlbkFJ${chance(40)}`],
    ['ANTHROPIC_KEY', () => `sk-ant-api03-${chance(93)}AA`],
    ['GOOGLE_API_KEY', () => `AIza${chance(35)}`],
    ['SENDGRID_KEY', () => `SG.${chance(22)}.${chance(43)}`],
    ['HUGGINGFACE_TOKEN', () => `hf_${chance(34)}`],
    ['DIGITALOCEAN_TOKEN', () => `dop_v1_${hex(64)}`],
    ['TELEGRAM_TOKEN', () => `${chance(9, '123456789')}:AA${chance(33)}`],
    ['JSON_WEB_TOKEN', jwt],
  ])('of the kind %s is found, in prose, code and JSON', (type, make) => {
    for (let round = 0; round < 20; round++) {
      const secret = make();
      for (const text of [
        `Use ${secret}, please.`,
        `const key = '${secret}';`,
        `{"key":"${secret}"}`,
        `KEY=${secret}\n`,
      ]) {
        expect(told(text), text).toEqual([[type, secret]]);
      }
    }
  });

  it.each<[string, (secret: string) => string]>([
    ['CONNECTION_STRING', (secret) => `postgres://app:${secret}@db.internal:5432/app`],
    ['CONNECTION_STRING', (secret) => `see mongodb+srv://app:${secret}@cluster0.abc.mongodb.net/x`],
    ['AUTHORIZATION', (secret) => `curl -H 'Authorization: Bearer ${secret}' https://x.test`],
    ['GENERIC_SECRET', (secret) => `"client_secret": "${secret}"`],
    ['AWS_SECRET_KEY', (secret) => `aws_secret_access_key = ${secret}`],
  ])('of the kind %s is found by what stands before it', (type, write) => {
    for (let round = 0; round < 20; round++) {
      const secret = `4a${chance(38)}`;
      expect(told(write(secret))).toEqual([[type, secret]]);
    }
  });

  it('is sure where its checksum holds', () => {
    expect(find(github())).toMatchObject([{ score: 1 }]);
    expect(find(`ghp_${chance(36)}`)).toMatchObject([{ score: 0.9 }]);
  });

  it('is a private key from its first line to its last, also in code and where its end has not come', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
    expect(told(`Here:\n${key}\nDone.`)).toEqual([['PRIVATE_KEY', key]]);
    const inCode = key.replaceAll('\n', '\\n');
    expect(told(`const key = "${inCode}\\n";`)).toEqual([['PRIVATE_KEY', inCode]]);
    expect(told(`It is ${key.slice(0, 90)}`)).toEqual([['PRIVATE_KEY', key.slice(0, 90)]]);
  });
});

describe('no secret', () => {
  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    `ghp_${'x'.repeat(36)}`,
    'sk-your-key-here-your-key-here-your-key-here-your',
    'postgres://user:password@localhost/db, https://user:pass@host/, https://app:****@host/',
    `postgres://app:$${'{DB_PASSWORD}'}@db/app`,
    'const token = process.env.GITHUB_TOKEN ?? settings.accessToken;',
    'password: "correct horse battery staple"',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    '-----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- are its first and last line.',
    'eyJhbGciOiJub25lIn0 is the header of an unsigned token.',
    'd41d8cd98f00b204e9800998ecf8427e  empty.txt',
  ])('is %s', (text) => {
    expect(find(text)).toEqual([]);
  });

  const root = new URL('../../../', import.meta.url).pathname;
  const python = pythonLibrary();
  it.each<[string, string | undefined, RegExp, number]>([
    ['the packages of Node', join(root, 'node_modules'), /\.[cm]?[jt]s$/, 12_000_000],
    ['the library of Python', python, /\.py$/, 12_000_000],
    ['this project', join(root, 'src'), /(?<!\.test)\.ts$/, 12_000_000],
  ])('is found in %s, beyond one in 100 kB', (_, folder, name, most) => {
    // Without Python on this machine there is nothing to count.
    if (folder === undefined) return;
    const { bytes, found } = count(folder, name, most);
    expect(bytes).toBeGreaterThan(100_000);
    expect(found.length / (bytes / 100_000), found.join('\n')).toBeLessThanOrEqual(1);
  });
});

function pythonLibrary(): string | undefined {
  try {
    const code = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    return execFileSync('python3', ['-c', code], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** What is found in so many bytes of the folder's files. */
function count(folder: string, name: RegExp, most: number): { bytes: number; found: string[] } {
  const found: string[] = [];
  let bytes = 0;
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (bytes >= most) break;
    if (!file.isFile() || !name.test(file.name)) continue;
    const text = readFileSync(join(file.parentPath, file.name), 'utf8');
    bytes += text.length;
    for (const [type, secret] of told(text)) found.push(`${file.name}: ${type} ${secret?.slice(0, 40)}`);
  }
  return { bytes, found };
}
