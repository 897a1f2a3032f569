import { describeMesh } from '../../support/suites/mesh.js';
import { ONE_OF_EACH, REMOTE_WAYS } from '../../support/ways.js';

for (const way of [...ONE_OF_EACH, ...REMOTE_WAYS]) describeMesh(way);
