import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ENVOY } from '../../../src/local/binaries/programs.js';

interface Service {
  image: string;
  ports?: string[];
  network_mode?: string;
  user?: string;
  volumes?: { source: string; target: string }[];
  depends_on?: Record<string, { condition: string }>;
}

const root = new URL('../../../', import.meta.url);
const read = (name: string) => readFile(new URL(name, root), 'utf8');

describe('the composition', async () => {
  const { services, volumes } = parse(await read('deploy/compose.yaml')) as {
    services: Record<string, Service>;
    volumes: Record<string, unknown>;
  };

  it('opens ports on the loopback address only, and none for MongoDB', () => {
    const ports = Object.values(services).flatMap((service) => service.ports ?? []);
    expect(ports).toEqual(['127.0.0.1:8080:8080', '127.0.0.1:8081:8081']);
    expect(services.mongodb?.ports).toBeUndefined();
  });

  it('runs the version of Envoy that the tests run', () => {
    expect(services.envoy?.image).toBe(`envoyproxy/envoy:v${ENVOY.wheel.version}`);
  });

  it('refers only to services and volumes that exist', () => {
    for (const { depends_on = {}, network_mode, volumes: mounts = [] } of Object.values(services)) {
      for (const name of Object.keys(depends_on)) expect(services).toHaveProperty(name);
      if (network_mode) expect(services).toHaveProperty(network_mode.replace('service:', ''));
      for (const { source } of mounts) expect(['.', ...Object.keys(volumes)]).toContain(source);
    }
  });

  it('stops the engine before Envoy, so that no answer is cut', () => {
    expect(services.sluice?.depends_on).toHaveProperty('envoy');
    expect(services.envoy?.depends_on).not.toHaveProperty('sluice');
  });
});

describe('the image', async () => {
  const lines = (await read('deploy/Dockerfile')).split('\n');

  it('copies only what exists and is not excluded from the build context', async () => {
    const kept = (await read('deploy/Dockerfile.dockerignore')).split('\n');
    const sources = lines
      .filter((line) => line.startsWith('COPY ') && !line.includes('--from'))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources).toContain('src');
    for (const source of sources) {
      expect(existsSync(new URL(source, root)), source).toBe(true);
      expect(kept).toContain(`!${source}`);
    }
  });

  it('has the command in its path, and starts where the configuration is mounted', () => {
    const link = lines.findIndex((line) =>
      line.endsWith(' && ln -s /app/dist/main.js /usr/local/bin/sluice'),
    );
    expect(lines[link]).toContain('chmod +x dist/main.js');
    expect(lines.slice(link).filter((line) => line.startsWith('WORKDIR '))).toEqual(['WORKDIR /etc/sluice']);
  });

  it('runs as a user without privileges', () => {
    expect(lines.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
    expect(lines.indexOf('USER node')).toBeLessThan(lines.findIndex((line) => line.startsWith('ENTRYPOINT')));
  });
});
