import { olderEnvoy } from '../../support/older-envoy.js';
import { missingPrograms } from '../../support/start-sluice.js';
import { translateGateway, translateIstio } from '../../support/translated-gateway.js';
import { describeWithoutChain } from '../../support/without-chain-suite.js';

const older = await olderEnvoy();
const missing = missingPrograms ?? ('missing' in older ? older.missing : null);
const binary = 'binary' in older ? older.binary : '';

describeWithoutChain('an Envoy 1.36 that envoy-gateway configured, without the chain', missing, {
  mesh: 'envoy-gateway',
  translate: translateGateway,
  binary,
});
describeWithoutChain('an Envoy 1.36 that istio configured, without the chain', missing, {
  mesh: 'istio',
  translate: translateIstio,
  binary,
});
