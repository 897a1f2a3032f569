import { dirname } from 'node:path';
import { translateWithEgctl } from '../support/envoy-gateway.js';
import { EGCTL, ENVOY_GATEWAY as GATEWAY_MODULE, goProgram } from '../support/go-program.js';
import { describeFallback } from '../support/suites/fallback.js';
import { describeMesh } from '../support/suites/mesh.js';
import { ENVOY_GATEWAY, remote, type Way } from '../support/ways.js';

const egctl = await goProgram(EGCTL);
const missing = ENVOY_GATEWAY.missing ?? ('missing' in egctl ? egctl.missing : null);
if (missing !== null) console.log(`No test of Envoy Gateway: ${missing}`);

/** With one of the Envoys that it brings, 1.38. */
const way: Way = {
  ...ENVOY_GATEWAY,
  name: `an Envoy that Envoy Gateway ${GATEWAY_MODULE.version} configures`,
  missing,
  translate: async (manifests, place) => {
    const { binary } = egctl as { binary: string };
    const { bootstrap, complaints } = await translateWithEgctl(binary, manifests, {
      ...place,
      folder: dirname(place.adminSocket),
    });
    if (complaints.length > 0) throw new Error(complaints.join('\n'));
    return JSON.stringify(bootstrap);
  },
};

describeMesh(way, { isPatient: true });
describeMesh(remote(way));
describeFallback(way);
