/**
 * Bitcoin addresses. P2PKH and P2SH: Base58Check; native segwit and taproot: bech32 and bech32m (BIP 173, BIP 350).
 */
import { base58Check, bech32 } from '../checksums.js';
import { CodeRecognizer } from '../codes.js';

export const crypto = new CodeRecognizer({
  entityType: 'CRYPTO',
  fewestDigits: 1,
  patterns: [
    {
      name: 'base58',
      regex: /[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![A-Za-z0-9])/y,
      score: 0.5,
      runs: { '26-35': '', '26-35 mixed': '' },
    },
    {
      name: 'bech32',
      regex: /(?:bc1[02-9ac-hj-np-z]{23,71}|BC1[02-9AC-HJ-NP-Z]{23,71})(?![A-Za-z0-9])/y,
      score: 0.5,
      letters: 2,
      runs: { '26-74': '', '26-74 mixed': '' },
    },
  ],
  validate: (code) => (/^bc1/i.test(code) ? bech32(code.toLowerCase()) : base58Check(code)),
  context: ['wallet', 'btc', 'bitcoin', 'crypto', 'address'],
});
