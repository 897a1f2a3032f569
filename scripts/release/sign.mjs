import { execFileSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/*
 * Signatures as cosign makes and checks them for blobs with a key: ECDSA on P-256 over SHA-256, DER, in base64. Provenance is
 * an in-toto statement (SLSA 1.0) in a DSSE envelope, signed with the same key.
 */

const OWN_KEY = '.signing-key.pem';
const STATEMENT = 'application/vnd.in-toto+json';

export function openSigningKey(root) {
  const named = process.env.SLUICE_SIGNING_KEY;
  if (named) return createPrivateKey(readFileSync(named));
  const path = join(root, OWN_KEY);
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
    console.log(`SLUICE_SIGNING_KEY is not set: signed with a new key of this working copy, ${OWN_KEY}.`);
  }
  return createPrivateKey(readFileSync(path));
}

/** Writes a signature file next to each file, and the public key. */
export function signAll(folder, names, key) {
  for (const name of names) {
    writeFileSync(join(folder, `${name}.sig`), `${signatureOf(readFileSync(join(folder, name)), key)}\n`);
  }
  writeFileSync(join(folder, 'cosign.pub'), createPublicKey(key).export({ type: 'spki', format: 'pem' }));
}

function signatureOf(bytes, key) {
  return sign('sha256', bytes, key).toString('base64');
}

/** States what was built, from which source, and by which command. */
export function provenanceOf(sums, manifest, root, key) {
  const git = (...words) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const statement = {
    _type: 'https://in-toto.io/Statement/v1',
    subject: sums.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { version: manifest.version },
        internalParameters: { node: process.version },
        resolvedDependencies: [{ uri: 'git+file:sluice', digest: { gitCommit: git('rev-parse', 'HEAD') } }],
      },
      runDetails: {
        builder: { id: 'scripts/release.mjs' },
        metadata: { clean: git('status', '--porcelain') === '' },
      },
    },
  };
  const payload = Buffer.from(JSON.stringify(statement));
  const signed = Buffer.concat([
    Buffer.from(`DSSEv1 ${STATEMENT.length} ${STATEMENT} ${payload.length} `),
    payload,
  ]);
  const signatures = [{ keyid: '', sig: signatureOf(signed, key) }];
  return `${JSON.stringify({ payloadType: STATEMENT, payload: payload.toString('base64'), signatures })}\n`;
}
