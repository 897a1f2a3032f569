import { inject } from 'vitest';
import type { Translate } from '../support/behind-control-plane.js';
import { translateWithEgctl } from '../support/envoy-gateway.js';
import { EGCTL, ENVOY_GATEWAY, goProgram } from '../support/go-program.js';
import { missingPrograms } from '../support/start-sluice.js';
import { describeWithChain } from '../support/with-chain-suite.js';
import { describeWithoutChain } from '../support/without-chain-suite.js';

const egctl = await goProgram(EGCTL);
const missing = missingPrograms ?? ('missing' in egctl ? egctl.missing : null);
if (missing !== null) console.log(`No test of Envoy Gateway: ${missing}`);

const translate: Translate = async (manifests, place) => {
  const { bootstrap, complaints } = await translateWithEgctl(
    (egctl as { binary: string }).binary,
    manifests,
    place,
  );
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  return JSON.stringify(bootstrap);
};
const binary = inject('envoyBinary') ?? '';
const name = `an Envoy that Envoy Gateway ${ENVOY_GATEWAY.version} configures`;

describeWithChain(`${name}, with the chain`, missing, { mesh: 'envoy-gateway', translate, binary });
describeWithoutChain(`${name}, without the chain`, missing, {
  isPatient: true,
  mesh: 'envoy-gateway',
  translate,
  binary,
});
