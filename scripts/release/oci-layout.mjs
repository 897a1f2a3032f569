import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/* OCI image layouts on disk (image-spec 1.1): an index, and blobs by their SHA-256. No daemon and no registry is needed. */

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const INDEX = 'application/vnd.oci.image.index.v1+json';

export class OciLayout {
  constructor(folder) {
    this.folder = folder;
    mkdirSync(join(folder, 'blobs', 'sha256'), { recursive: true });
    writeFileSync(join(folder, 'oci-layout'), '{"imageLayoutVersion":"1.0.0"}');
  }

  /** Stores these bytes and returns their descriptor. */
  add(mediaType, bytes) {
    const hex = createHash('sha256').update(bytes).digest('hex');
    writeFileSync(join(this.folder, 'blobs', 'sha256', hex), bytes);
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  }

  addJson(mediaType, value) {
    return this.add(mediaType, Buffer.from(JSON.stringify(value)));
  }

  addFile(mediaType, path) {
    const bytes = readFileSync(path);
    const hex = createHash('sha256').update(bytes).digest('hex');
    copyFileSync(path, join(this.folder, 'blobs', 'sha256', hex));
    return { mediaType, digest: `sha256:${hex}`, size: bytes.length };
  }

  /** Writes the layout's only manifest, under a tag. */
  finish({ config, layers, annotations, platform }, tag) {
    const manifest = { schemaVersion: 2, mediaType: MANIFEST, config, layers, annotations };
    const descriptor = this.addJson(MANIFEST, manifest);
    const named = {
      ...descriptor,
      ...(platform === undefined ? {} : { platform }),
      annotations: { 'org.opencontainers.image.ref.name': tag },
    };
    const index = { schemaVersion: 2, mediaType: INDEX, manifests: [named] };
    writeFileSync(join(this.folder, 'index.json'), JSON.stringify(index));
  }
}
