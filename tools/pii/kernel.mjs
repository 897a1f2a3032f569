/** Compiles tools/pii/kernel to src/pii/model/kernel.wasm. Run by `npm run build:kernel`. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { main } from 'assemblyscript/asc';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = ['-O3', '--runtime', 'stub', '--enable', 'simd', '--noAssert', '--disableWarning', '112'];

/** The bytes of the module that the sources compile to. */
export async function compileKernel() {
  let bytes;
  const { error, stderr } = await main(['tools/pii/kernel/index.ts', ...OPTIONS, '--baseDir', root, '--outFile', 'kernel.wasm'], {
    writeFile(name, content) {
      if (name.endsWith('.wasm')) bytes = content;
    },
  });
  if (error !== null || bytes === undefined) throw new Error(`The kernel does not compile.\n${stderr.toString()}`);
  return bytes;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL('../../src/pii/model/kernel.wasm', import.meta.url), await compileKernel());
}
