import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { installedCode } from '../../../test/support/installed-code.js';
import { atOnce } from '../../core/pacing/steps.js';
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

describe('a secret with escapes of JSON or invisible characters in it', () => {
  const escaped = (text: string) =>
    text.replace(/[A-Z]/, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

  it.each<[string, (secret: string) => string]>([
    ['an escaped letter', escaped],
    ['a blank of no width', (secret) => `${secret.slice(0, 9)}\u200b${secret.slice(9)}`],
    [
      'wide letters',
      (secret) => secret.replace(/[a-z]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0)),
    ],
  ])('is found with %s, as a whole', (_, write) => {
    const written = write(github());
    expect(told(`use ${written} there`)).toEqual([['GITHUB_TOKEN', written]]);
  });

  it('is found directly after an escaped line end, without the escape', () => {
    const secret = github();
    expect(told(`{"note":"use\\n${secret}\\nend"}`)).toEqual([['GITHUB_TOKEN', secret]]);
  });
});

describe('a secret', () => {
  it.each<[string, () => string]>([
    ['AWS_ACCESS_KEY', () => `AKIA${capitals(16)}`],
    ['GITHUB_TOKEN', github],
    ['GITHUB_TOKEN', () => `github_pat_${chance(22)}_${chance(59)}`],
    ['GITLAB_TOKEN', () => `glpat-${chance(20)}`],
    ['GITLAB_TOKEN', () => `glpat-${chance(70)}.01.0z${chance(5, 'abcdefghij')}`],
    ['GITLAB_TOKEN', () => `glpat-${chance(27)}.01.0z${chance(7, 'abcdefghij')}`],
    ['GITLAB_TOKEN', () => `glrt-${chance(20)}`],
    ['NPM_TOKEN', () => `npm_${chance(36)}`],
    ['PYPI_TOKEN', () => `pypi-AgEI${chance(120)}`],
    ['DOCKER_TOKEN', () => `dckr_pat_${chance(27)}`],
    ['DATABRICKS_TOKEN', () => `dapi${hex(32)}-2`],
    ['VAULT_TOKEN', () => `hvs.${chance(90)}`],
    ['TWILIO_KEY', () => `SK${hex(32)}`],
    ['DISCORD_TOKEN', () => `MT${chance(24)}.${chance(6)}.${chance(38)}`],
    ['AWS_BEDROCK_KEY', () => `ABSK${chance(128)}`],
    ['GOOGLE_API_KEY', () => `AQ.Ab8${chance(47)}`],
    ['AZURE_KEY', () => `${chance(52)}JQQJ99${chance(26)}`],
    ['AZURE_KEY', () => `${chance(76)}AZDO${chance(4)}`],
    ['OPENROUTER_KEY', () => `sk-or-v1-${hex(64)}`],
    ['DEEPSEEK_KEY', () => `sk-${hex(32)}`],
    ['LANGSMITH_KEY', () => `lsv2_pt_${hex(32)}_${hex(10)}`],
    ['PINECONE_KEY', () => `pcsk_${chance(6)}_${chance(63)}`],
    ['ELEVENLABS_KEY', () => `sk_${hex(48)}`],
    ['SONAR_TOKEN', () => `sqp_${hex(40)}`],
    ['BUILDKITE_TOKEN', () => `bkua_${hex(40)}`],
    ['CIRCLECI_TOKEN', () => `CCIPAT_${chance(22)}_${hex(40)}`],
    ['PULUMI_TOKEN', () => `pul-${hex(40)}`],
    ['NETLIFY_TOKEN', () => `nfp_${chance(36)}`],
    ['TAILSCALE_KEY', () => `tskey-auth-${chance(12)}-${chance(32)}`],
    ['PLANETSCALE_TOKEN', () => `pscale_tkn_${chance(43)}`],
    ['DYNATRACE_TOKEN', () => `dt0c01.${capitals(24)}.${capitals(64)}`],
    ['ALIBABA_KEY', () => `LTAI${chance(20)}`],
    ['RESEND_KEY', () => `re_${chance(8)}_${chance(24)}`],
    ['META_TOKEN', () => `EAA${chance(160)}`],
    ['SLACK_TOKEN', () => `xoxe.xoxp-1-${chance(150)}`],
    ['SLACK_TOKEN', () => `xoxb-${chance(12, '123456789')}-${chance(24)}`],
    ['STRIPE_KEY', () => `sk_live_${chance(24)}`],
    ['OPENAI_KEY', () => `sk-proj-${chance(40)}T3BlbkFJ${chance(40)}`],
    ['ANTHROPIC_KEY', () => `sk-ant-api03-${chance(93)}AA`],
    ['GOOGLE_API_KEY', () => `AIza${chance(35)}`],
    ['SENDGRID_KEY', () => `SG.${chance(22)}.${chance(43)}`],
    ['HUGGINGFACE_TOKEN', () => `hf_${chance(34)}`],
    ['DIGITALOCEAN_TOKEN', () => `dop_v1_${hex(64)}`],
    ['TELEGRAM_TOKEN', () => `${chance(9, '123456789')}:AA${chance(33)}`],
    ['NVIDIA_KEY', () => `nvapi-${chance(64)}`],
    ['FIRECRAWL_KEY', () => `fc-${hex(32)}`],
    ['GOOGLE_TOKEN', () => `ya29.c.${chance(400)}`],
    ['GOOGLE_TOKEN', () => `1//0${chance(80)}`],
    ['GOOGLE_STORAGE_KEY', () => `GOOG${capitals(57)}`],
    ['SUPABASE_TOKEN', () => `sb_secret_${chance(22)}_${chance(8)}`],
    ['NEON_KEY', () => `napi_${chance(64, 'abcdefghijklmnopqrstuvwxyz0123456789')}`],
    ['VERCEL_TOKEN', () => `vcp_${chance(56)}`],
    ['EASYPOST_KEY', () => `EZAK${chance(54)}`],
    ['YANDEX_KEY', () => `AQVN${chance(36)}`],
    ['SLACK_TOKEN', () => `xoxd-${chance(100)}%2F${chance(20)}`],
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
    ['CONNECTION_STRING', (secret) => `rediss://:${secret}@cache.internal:6379/0`],
    ['CONNECTION_STRING', (secret) => `Server=tcp:db.test,1433;User ID=app;Password=${secret};Encrypt=True`],
    ['CONNECTION_STRING', (secret) => `jdbc:postgresql://db.test/app?user=app&password=${secret}`],
    ['CONNECTION_STRING', (secret) => `snowflake://app:${secret}@account/db`],
    ['CONNECTION_STRING', (secret) => `postgres://ann%40corp.test:${secret}@db/app`],
    ['CONNECTION_STRING', (secret) => `app:${secret}@tcp(db.test:3306)/app`],
    ['CONNECTION_STRING', (secret) => `user=app password=${secret} host=db.test`],
    ['AUTHORIZATION', (secret) => `curl -H 'Authorization: Bearer ${secret}' https://x.test`],
    ['AUTHORIZATION', (secret) => `headers = {"Authorization": f"Bearer ${secret}"}`],
    ['AUTHORIZATION', (secret) => JSON.stringify(`{"authorization": "${secret}"}`)],
    ['GENERIC_SECRET', (secret) => `"client_secret": "${secret}"`],
    ['GENERIC_SECRET', (secret) => `export DB_PASSWORD=${secret}\n`],
    ['GENERIC_SECRET', (secret) => `PORT=80\nCOHERE_API_KEY="${secret}"\n`],
    ['GENERIC_SECRET', (secret) => `docker run -e VERCEL_TOKEN=${secret} app`],
    ['GENERIC_SECRET', (secret) => `db:\n  password: ${secret} # of the app\n`],
    ['GENERIC_SECRET', (secret) => `+  client-secret: '${secret}'\n`],
    ['GENERIC_SECRET', (secret) => JSON.stringify(JSON.stringify({ apiKey: secret }))],
    ['GENERIC_SECRET', (secret) => `deploy --token ${secret} --force`],
    ['GENERIC_SECRET', (secret) => `GET / HTTP/1.1\r\nx-api-key: ${secret}\r\n`],
    ['GENERIC_SECRET', (secret) => `//registry.test/:_authToken=${secret}`],
    ['GENERIC_SECRET', (secret) => `machine api.test login app password ${secret}`],
    ['GENERIC_SECRET', (secret) => `curl -s -u app:${secret} https://api.test`],
    ['GENERIC_SECRET', (secret) => `{"kind":"x","password":"${secret}"}`],
    ['AWS_SECRET_KEY', (secret) => `aws_secret_access_key = ${secret}`],
  ])('of the kind %s is found because of the text before it', (type, write) => {
    for (let round = 0; round < 20; round++) {
      const secret = `4a${chance(38)}`;
      expect(told(write(secret))).toEqual([[type, secret]]);
    }
  });

  it.each([
    ['AWS_ACCESS_KEY', () => `AKIA${capitals(16)}`, ''],
    ['GITHUB_TOKEN', github, ''],
    ['AUTHORIZATION', () => chance(40), 'Authorization: Bearer '],
  ])('is found after escapes of JSON: %s', (type, make, name) => {
    const secret = make();
    for (const lineEnd of ['\\n', '\\r\\n', '\\t']) {
      expect(told(`{"body":"Here you are:${lineEnd}${name}${secret}\\n"}`)).toEqual([[type, secret]]);
    }
  });

  it('may be the signature of a shared access link, or the key of a storage account', () => {
    const signature = `${chance(20)}%2B${chance(20)}%3D`;
    const link = `https://app.blob.core.windows.net/c/f?sp=r&se=2027-01-01T00:00:00Z&sv=2024-11-04&sr=b&sig=${signature}`;
    expect(told(`get ${link} now`)).toEqual([['AZURE_SAS', signature]]);
    const key = `${chance(86)}==`;
    expect(told(`AccountName=app;AccountKey=${key};EndpointSuffix=x`)).toEqual([['AZURE_KEY', key]]);
  });

  it('may be the private key in the JSON of a service account', () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
    const account = JSON.stringify({
      type: 'service_account',
      private_key_id: hex(40),
      private_key: `${key}\n`,
    });
    expect(told(account)).toEqual([['PRIVATE_KEY', JSON.stringify(key).slice(1, -1)]]);
  });

  it.each<[string, (key: string) => string]>([
    ['a quotation', (key) => key.replaceAll(/^/gm, '> ')],
    ['a comment', (key) => key.replaceAll(/^/gm, '# ')],
    ['JSON within JSON', (key) => JSON.stringify(JSON.stringify({ key }))],
    ['JSON within JSON within JSON', (key) => JSON.stringify(JSON.stringify(JSON.stringify({ key })))],
  ])('may be the private key in %s, from its first line to its last', (_, write) => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const text = write(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim());
    const whole = text.slice(text.indexOf('-----BEGIN'), text.lastIndexOf('KEY-----') + 'KEY-----'.length);
    expect(told(text)).toEqual([['PRIVATE_KEY', whole]]);
  });

  it('may be a private key in the forms of PuTTY and of JSON', () => {
    const lines = `${chance(64)}\n${chance(64)}\n${chance(20)}=`;
    const file = `PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 3\n${lines}\nPrivate-MAC: ${hex(64)}`;
    expect(told(file)).toEqual([['PRIVATE_KEY', lines]]);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ format: 'jwk' });
    expect(told(JSON.stringify(key))).toEqual([['PRIVATE_KEY', key.d]]);
  });

  it('may be name and password in the configuration of Docker', () => {
    const auth = Buffer.from(`app:${chance(12)}`).toString('base64');
    expect(told(`{"auths":{"registry.test":{"auth":"${auth}"}}}`)).toEqual([['GENERIC_SECRET', auth]]);
  });

  it('may be a password in a URL, even with unescaped special characters', () => {
    const secret = `p@$w:${chance(8)}`;
    expect(told(`mysql://app:${secret}@db.test/app`)).toEqual([['CONNECTION_STRING', secret]]);
  });

  it("may be the secret key of Django's settings", () => {
    const secret = `django-insecure-${chance(24)}!(${chance(24)}`;
    expect(told(`SECRET_KEY = '${secret}'`)).toEqual([['GENERIC_SECRET', secret]]);
  });

  it('may be a short password in a setting, where it mixes letters and digits', () => {
    for (const text of [
      'password: S3cr3tP4ss',
      '{"password": "kR7mQ2xWp9"}',
      'pwd=qsyqeG8OKZsNlc',
      'REDIS_PASSWORD=uN4b!eKp',
    ]) {
      expect(told(text), text).toHaveLength(1);
    }
  });

  it('is certain where its checksum is right', () => {
    expect(find(github())).toMatchObject([{ score: 1 }]);
    expect(find(`ghp_${chance(36)}`)).toMatchObject([{ score: 0.9 }]);
  });

  it('may be a private key from its first line to its last, also in code and where its end has not come yet', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim();
    expect(told(`Here:\n${key}\nDone.`)).toEqual([['PRIVATE_KEY', key]]);
    const inCode = key.replaceAll('\n', '\\n');
    expect(told(`const key = "${inCode}\\n";`)).toEqual([['PRIVATE_KEY', inCode]]);
    expect(told(`It is ${key.slice(0, 90)}`)).toEqual([['PRIVATE_KEY', key.slice(0, 90)]]);
  });
});

describe('a made-up secret that people type to test a guard', () => {
  it.each([
    'AKIAIOSFODNN7EXAMPLE',
    'AKIA1234567890ABCDEF',
    'ghp_abcdefghijklmnopqrstuvwxyzABCDEF0123',
    'sk-1234567890abcdef1234567890abcdef1234567890abcdef',
    'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH',
    'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
    'xoxb-123456789012-1234567890123-abcdefghijklmnopqrstuvwx',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA\n-----END RSA PRIVATE KEY-----',
  ])('is found where its form leaves no doubt: %s', (secret) => {
    expect(told(`My key is ${secret}, see?`).map(([, text]) => text)).toEqual([secret]);
  });
});

describe('ordinary text', () => {
  it.each([
    `AKIA${'X'.repeat(16)}`,
    `ghp_${'x'.repeat(36)}`,
    'sk-your-key-here-your-key-here-your-key-here-your',
    'postgres://user:password@localhost/db, https://user:pass@host/, https://app:****@host/',
    `postgres://app:$${'{DB_PASSWORD}'}@db/app`,
    'postgres://app:$DB_PASSWORD@db/app, mysql://app:$(cat pw)@db/app',
    'const token = process.env.GITHUB_TOKEN ?? settings.accessToken;',
    'password: "correct horse battery staple"',
    'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
    '-----BEGIN PRIVATE KEY----- and -----END PRIVATE KEY----- are its first and last line.',
    'eyJhbGciOiJub25lIn0 is the header of an unsigned token.',
    'd41d8cd98f00b204e9800998ecf8427e  empty.txt',
    'password: Uint8Array, token: Base64Url, secret: sha256Digest',
    'apiKey: process.env.API_KEY_2, token=$TOKEN_2A, password: {{ secrets.Pass1 }}',
    'API_KEY=<your key>, API_KEY=your-api-key-1, PASSWORD=changeme1A, token: getToken2(next1)',
    'next_page_token=CAoQAA2x9Kd81LmPq and max_tokens: 4096, key: value1',
    'https://user@host.test/a:b@c and mailto:ann@host.test and http://[::1]:8080/@x',
    'password: /run/secrets/db1Pass, secret: ./files/A1b2C3d4E5, token: https://id.test/A1b2C3',
    'connect(user=login, password=password1)',
    'arn:aws:secretsmanager:*:*:secret:A4BNetworkProfile1x, {"AWS::X::ScramSecret": "ff2b807a577495b0"}',
    'authorization: credentials.token_type2b',
    'a user=ann who forgot the password = yesterday',
  ])('is not a secret: %s', (text) => {
    expect(find(text)).toEqual([]);
  });

  it.for(installedCode())('has at most one finding in 100 kB: code of $name', ({ texts }, { skip }) => {
    const code = texts(500_000);
    if (code.length === 0) skip('it is not on this machine');
    const found = code.flatMap((text) =>
      told(text).map(([type, secret]) => `${type} ${secret?.slice(0, 40)}`),
    );
    const length = code.reduce((sum, text) => sum + text.length, 0);
    expect(found.length / (length / 100_000), found.join('\n')).toBeLessThanOrEqual(1);
  });
});
