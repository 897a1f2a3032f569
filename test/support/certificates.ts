import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The PEM files of a certificate authority, and of a certificate and key that it signed. */
export interface CertificatePair {
  ca: string;
  cert: string;
  key: string;
}

/** A certificate authority for tests, in its own folder. The certificates are made with `openssl`. */
export class TestAuthority {
  readonly ca: string;
  readonly #key: string;

  constructor(
    private readonly folder: string,
    private readonly name = 'authority',
  ) {
    this.ca = join(folder, `${name}.pem`);
    this.#key = join(folder, `${name}.key`);
    openssl('req', '-x509', ...newKey(this.#key), '-subj', `/CN=${name}`, '-days', '30', '-out', this.ca);
  }

  /** Issues a certificate for clients, and for servers with these names or addresses. */
  issue(name: string, ...places: string[]): CertificatePair {
    const path = (end: string) => join(this.folder, `${this.name}-${name}.${end}`);
    const names = places.map((place) => `${/^[\d.]+$/.test(place) ? 'IP' : 'DNS'}:${place}`);
    writeFileSync(path('ext'), `subjectAltName=${[`DNS:${name}`, ...names].join(',')}\n`);
    openssl('req', ...newKey(path('key')), '-subj', `/CN=${name}`, '-out', path('csr'));
    const signing = ['-CA', this.ca, '-CAkey', this.#key, '-CAcreateserial', '-days', '30'];
    openssl('x509', '-req', '-in', path('csr'), ...signing, '-extfile', path('ext'), '-out', path('pem'));
    return { ca: this.ca, cert: path('pem'), key: path('key') };
  }
}

function newKey(path: string): string[] {
  return ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', path];
}

function openssl(...parameters: string[]): void {
  execFileSync('openssl', parameters, { stdio: 'pipe' });
}
