import { dirname } from 'node:path';
import { goProgram, ISTIO_PILOT } from '../support/go-program.js';
import { translateWithPilot } from '../support/istio-pilot.js';
import { describeFallback } from '../support/suites/fallback.js';
import { describeMesh } from '../support/suites/mesh.js';
import { ISTIO, remote, type Way } from '../support/ways.js';

const pilot = await goProgram(ISTIO_PILOT);
const missing = ISTIO.missing ?? ('missing' in pilot ? pilot.missing : null);
if (missing !== null) console.log(`No test of Istio's pilot: ${missing}`);

const way: Way = {
  ...ISTIO,
  name: "an Envoy 1.36.2 that Istio's pilot configures",
  missing,
  translate: (manifests, place) => {
    const { binary } = pilot as { binary: string };
    return translateWithPilot(binary, manifests, { ...place, folder: dirname(place.adminSocket) });
  },
};

describeMesh(way, { isPatient: true });
describeMesh(remote(way));
describeFallback(way);
