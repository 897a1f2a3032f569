import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import type { experimental } from '@grpc/grpc-js';

/** How often the files are checked. An open connection keeps the certificate with which it began. */
const LOOK_INTERVAL_MS = 5_000;

/** Paths of PEM files. */
export interface CertificateFiles {
  cert: string;
  key: string;
  /** The authority that signs the clients' certificates. Without it, clients need no certificate. */
  clientCa?: string;
}

interface Texts {
  cert: Buffer;
  key: Buffer;
  clientCa: Buffer | undefined;
}

/**
 * The server's certificate, its key and the authority of its clients, which are read again when the files change.
 * Changed files that do not fit together, for example because they are just being replaced, are ignored. The
 * constructor throws where they do not fit together at the start.
 */
export class Certificates implements experimental.CertificateProvider {
  #texts: Texts;
  #problem?: string;
  readonly #ofAuthority = new Set<experimental.CaCertificateUpdateListener>();
  readonly #ofServer = new Set<experimental.IdentityCertificateUpdateListener>();
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly files: CertificateFiles,
    /** Reports that a changed file was refused, or that it is now used. */
    private readonly tell: (event: { refused: string } | 'changed') => void,
    intervalMs = LOOK_INTERVAL_MS,
  ) {
    this.#texts = read(files);
    this.#timer = setInterval(() => this.#look(), intervalMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  addCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#ofAuthority.add(listener);
    // The listener is called later, as the library's own providers do it, because the server is not ready for it yet.
    process.nextTick(() => listener(this.#authority()));
  }

  removeCaCertificateListener(listener: experimental.CaCertificateUpdateListener): void {
    this.#ofAuthority.delete(listener);
  }

  addIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#ofServer.add(listener);
    process.nextTick(() => listener(this.#server()));
  }

  removeIdentityCertificateListener(listener: experimental.IdentityCertificateUpdateListener): void {
    this.#ofServer.delete(listener);
  }

  #authority(): experimental.CaCertificateUpdate | null {
    const { clientCa } = this.#texts;
    return clientCa === undefined ? null : { caCertificate: clientCa };
  }

  #server(): experimental.IdentityCertificateUpdate {
    return { certificate: this.#texts.cert, privateKey: this.#texts.key };
  }

  #look(): void {
    let texts: Texts;
    try {
      texts = read(this.files);
    } catch (error) {
      this.#refuse((error as Error).message);
      return;
    }
    this.#problem = undefined;
    if (isSame(texts, this.#texts)) return;
    this.#texts = texts;
    for (const listener of this.#ofServer) listener(this.#server());
    for (const listener of this.#ofAuthority) listener(this.#authority());
    this.tell('changed');
  }

  /** Reports each problem once. */
  #refuse(problem: string): void {
    if (problem === this.#problem) return;
    this.#problem = problem;
    this.tell({ refused: problem });
  }
}

function read({ cert, key, clientCa }: CertificateFiles): Texts {
  const texts = {
    cert: readFileSync(cert),
    key: readFileSync(key),
    clientCa: clientCa === undefined ? undefined : readFileSync(clientCa),
  };
  try {
    createSecureContext({ cert: texts.cert, key: texts.key, ca: texts.clientCa });
  } catch (error) {
    throw new Error(`${[cert, key, clientCa].filter(Boolean).join(', ')}: ${(error as Error).message}`);
  }
  return texts;
}

function isSame(some: Texts, others: Texts): boolean {
  const isSameAuthority =
    some.clientCa === undefined || others.clientCa === undefined
      ? some.clientCa === others.clientCa
      : some.clientCa.equals(others.clientCa);
  return some.cert.equals(others.cert) && some.key.equals(others.key) && isSameAuthority;
}
