import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './steps.mjs';

/*
 * Who may import whom, as a table. A folder of `src/` may always import from itself. `envoy/names` is one file;
 * a longer name has its own row before the folder's. What joins the parts may import everything: the files of
 * `src/` itself, the commands and `local`.
 */
const PURE = ['core'];
const ALLOWED = {
  core: [],
  pii: [],
  dialects: PURE,
  routing: PURE,
  threads: [],
  'json-schema': [],
  validation: [...PURE, 'threads'],
  'logs/export': [...PURE, 'logs', 'dialects'],
  logs: PURE,
  // It does no input or output: what it needs of clocks and stores comes in as an argument.
  policy: [...PURE, 'routing'],
  telemetry: PURE,
  // A guard and a search of logs both need the texts of a log, which its dialect finds.
  plugins: [
    ...PURE,
    'json-schema',
    'pii',
    'threads',
    'dialects/index',
    'dialects/stored-texts',
    'dialects/kept-conversation',
    // `dialects/members/files` is the one place that decides what counts as a file.
    'dialects/members/files',
  ],
  pipeline: [...PURE, 'pii', 'dialects', 'routing', 'policy', 'validation', 'logs', 'plugins', 'telemetry'],
  'admin-client': PURE,
  // It imports only types.
  'provider-client': [...PURE, 'pipeline'],
  // `config/stored` is the one place that reads stored documents, with the defaults of the file's schema.
  directory: [...PURE, 'logs', 'config/stored', 'admin-client'],
  process: [],
  spool: [...PURE, 'logs', 'process', 'admin-client'],
  store: [...PURE, 'logs', 'policy', 'config/stored', 'dialects/stored-texts'],
  config: [...PURE, 'json-schema', 'policy/prices'],
  envoy: [...PURE, 'config'],
  grpc: ['core'],
  'grpc-js': ['grpc'],
  extproc: [...PURE, 'pipeline', 'envoy/names', 'grpc', 'grpc-js'],
  // The API writes and checks an endpoint as in sluice.yaml. The playground calls the gateway as clients do.
  admin: [
    ...PURE,
    'json-schema',
    'logs',
    'store',
    'config/endpoint-schema',
    'config/limit-schema',
    'config/cors-schema',
    'policy',
    'config/stored',
    'dialects/index',
    'dialects/calls',
  ],
};
/**
 * The layers inside a folder, in order: a file imports from its own layer and from those before it, types included. Each
 * sub-folder has a row; `.` means the folder's own files. A longer path stands before a shorter one that it begins with.
 */
const LAYERS = {
  pipeline: ['exchange', 'request', 'attempt/read', 'attempt', 'answer/stream', 'answer', 'end'],
  // `*` means every folder without a row of its own: the plugins themselves. A plugin knows neither the others nor
  // the runtime.
  plugins: [
    'stand-ins',
    'contract',
    'helpers',
    'text-guard',
    '*',
    '.',
    'runtime/prepare',
    'runtime/call',
    'runtime/run',
    'runtime/stream',
    'runtime',
    'testing',
  ],
};
/** The folder of one API. Other folders use it through its `Dialect`. */
const ONE_DIALECT = /^dialects\/(?!members\/|texts\/|translate\/|wire\/)[^/]+\//;
/**
 * Folders that only `npm start` needs, so the image of a service does not contain them. `sluice doctor` needs the
 * other two folders of `local`, to look for programs.
 */
const FOR_ONE_MACHINE = /^local\/(?!binaries\/|processes\/)/;
const EVERYTHING = ['', 'app', 'commands', 'local'];

/** Libraries that only one folder may import. */
const KNOWN_IN = [
  [/^mongodb$/, ['store']],
  [/^(fastify|@fastify\/.*)$/, ['admin']],
  [/^@opentelemetry\/.*$/, ['telemetry']],
  [/^yaml$/, ['config', 'envoy']],
  [/^@grpc\/.*$/, ['grpc-js']],
];

/** Packages that many deployments never use, and that take a MiB or more: `await import()` where they are needed. */
const LOADED_WHEN_NEEDED = ['jiti', 'pino-pretty', 'undici'];
/** Packages of which only types are imported, each with the module to import in place of its code. */
const TYPES_ALONE = { typebox: 'core/schema-type' };

/** Folders without input and output, so that a test can repeat a run: what they need of the world comes in as an argument. */
const WITHOUT_INPUT_OUTPUT = ['core', 'dialects', 'routing', 'policy', 'logs', 'pii'];
const HARMLESS_MODULES = ['assert', 'buffer', 'crypto', 'string_decoder', 'url', 'util', 'zlib'];
/** Single files that may import more, each with its reason. */
const EXCEPTIONS = {
  // The detector's data, read once.
  'pii/identifiers/rows.ts': ['node:fs'],
  'pii/words/words.ts': ['node:fs'],
  'pii/model/weights.ts': ['node:fs'],
  // Tables that most engines never need.
  'pii/recognizers/phone-plans.ts': ['node:module'],
  // A long text must let other work run between its pieces.
  'pii/detector.ts': ['node:timers/promises'],
};

/** The mistakes in the files, each as one line. `files` maps a path below `src/` to its text. */
export function findImportMistakes(files) {
  const mistakes = [];
  const valueImports = new Map();
  const allImports = new Map();
  for (const [path, text] of files) {
    const edges = [];
    const own = importsOf(text).filter(({ target }) => target.startsWith('.'));
    allImports.set(
      path,
      own.map(({ target }) => resolveImport(path, target)),
    );
    for (const { target, typeOnly, atStart } of importsOf(text)) {
      const problem = target.startsWith('.')
        ? checkOwn(path, target)
        : (checkOutside(path, target) ?? checkAtStart(target, atStart && !typeOnly));
      if (problem !== undefined) mistakes.push(`src/${path}: ${problem}`);
      if (target.startsWith('.') && !typeOnly) edges.push(resolveImport(path, target));
    }
    valueImports.set(path, edges);
  }
  return [...mistakes, ...findCycles(valueImports), ...findFolderCircles(allImports)];
}

function importsOf(text) {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  const found = [];
  for (const match of code.matchAll(/^\s*(?:import|export)\s(type\s)?[^'"`;]*?from\s+'([^']+)'/gm)) {
    found.push({ target: match[2], typeOnly: match[1] !== undefined, atStart: true });
  }
  for (const match of code.matchAll(/^\s*import\s+'([^']+)'|\bimport\(\s*'([^']+)'/gm)) {
    const atStart = match[1] !== undefined;
    found.push({ target: match[1] ?? match[2], typeOnly: false, atStart });
  }
  return found;
}

function checkOwn(path, target) {
  const from = rowOf(path);
  const resolved = resolveImport(path, target);
  if (resolved.startsWith('..')) return `imports ${target}, which lies outside of src/`;
  if (FOR_ONE_MACHINE.test(resolved) && folderOf(path) !== 'local') {
    return `${resolved} is not in the image of a service: only local/ imports it`;
  }
  if (ONE_DIALECT.test(resolved) && folderOf(path) !== 'dialects') {
    return `${resolved} is known in dialects only: others go by the contract in dialects/dialect.ts`;
  }
  if (EVERYTHING.includes(from)) return undefined;
  const to = folderOf(resolved);
  const allowed = ALLOWED[from];
  if (allowed === undefined) return `${from}/ has no row in scripts/check-imports.mjs`;
  const permitted = to === folderOf(path) || allowed.some((name) => isBelow(resolved, name));
  if (!permitted) return `${from} may not import ${resolved}`;
  return to === folderOf(path) ? checkLayers(to, path, resolved) : undefined;
}

function checkLayers(folder, path, resolved) {
  const layers = LAYERS[folder];
  if (layers === undefined) return undefined;
  const [from, to] = [path, resolved].map((file) => layerOf(layers, file.slice(folder.length + 1)));
  if (from === -1)
    return `src/${dirname(path)}/ has no row among the layers of ${folder} in scripts/check-imports.mjs`;
  if (to > from)
    return `${nameOfLayer(layers[from], path)} comes before ${nameOfLayer(layers[to], resolved)}, and may not import ${resolved}`;
  const siblings = from === to && layers[from] === '*' && dirname(path) !== dirname(resolved);
  return siblings
    ? `${dirname(path)} may not import ${resolved}, which belongs to another plugin`
    : undefined;
}

function nameOfLayer(layer, path) {
  return layer === '*' || layer === '.' ? path : layer;
}

function layerOf(layers, file) {
  const found = layers.findIndex((layer) => isInLayer(file, layer));
  return found === -1 ? layers.indexOf('*') : found;
}

function isInLayer(file, layer) {
  return layer === '.' ? !file.includes('/') : file.startsWith(`${layer}/`);
}

function checkOutside(path, target) {
  const folder = folderOf(path);
  const builtin = target.replace(/^node:/, '').split('/')[0];
  if (builtinModules.includes(builtin)) {
    const pure = WITHOUT_INPUT_OUTPUT.includes(folder) && !EXCEPTIONS[path]?.includes(target);
    return pure && !HARMLESS_MODULES.includes(builtin)
      ? `${folder} does no I/O, and may not import ${target}`
      : undefined;
  }
  if (EVERYTHING.includes(folder)) return undefined;
  const name = target.startsWith('@') ? target.split('/').slice(0, 2).join('/') : target.split('/')[0];
  const rule = KNOWN_IN.find(([pattern]) => pattern.test(name));
  if (rule === undefined || rule[1].includes(folder)) return undefined;
  return `${name} is known in ${rule[1].join(' and ')} only`;
}

function checkAtStart(target, atStart) {
  if (!atStart) return undefined;
  if (target in TYPES_ALONE)
    return `${target} is here for its types alone: ${TYPES_ALONE[target]} has the rest`;
  if (!LOADED_WHEN_NEEDED.includes(target)) return undefined;
  return `${target} is loaded when it is needed, by import()`;
}

/** Finds circles of imports that exist when the program runs. Type imports do not count. */
function findCycles(edges) {
  const circles = [];
  const done = new Set();
  const visit = (path, trail) => {
    const at = trail.indexOf(path);
    if (at !== -1) circles.push(`src/${[...trail.slice(at), path].join(' → ')}: a circle of imports`);
    if (at !== -1 || done.has(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return circles;
}

/**
 * Finds circles between the parts of a folder, which are its sub-folders and its own files as one part. Type imports count,
 * because a reader of one part has to know the others. Circles among a folder's own files are found by `findCycles`.
 */
function findFolderCircles(imports) {
  const folders = new Set([...imports.keys()].flatMap(foldersAbove));
  return [...folders].flatMap((folder) => {
    const circle = findCircle(partsOf(folder, imports));
    if (circle === undefined || circle.every((part) => part.endsWith('.ts'))) return [];
    return [`src/${folder}: ${circle.join(' → ')}: a circle of folders`];
  });
}

function foldersAbove(path) {
  const names = path.split('/').slice(0, -1);
  return ['', ...names.map((_, index) => names.slice(0, index + 1).join('/'))];
}

/** Which part of a folder imports which. */
function partsOf(folder, imports) {
  const prefix = folder === '' ? '' : `${folder}/`;
  const partOf = (path) => path.slice(prefix.length).split('/')[0];
  const parts = new Map();
  for (const [path, targets] of imports) {
    if (!path.startsWith(prefix)) continue;
    const part = partOf(path);
    const others = targets.filter((target) => target.startsWith(prefix)).map(partOf);
    parts.set(part, new Set([...(parts.get(part) ?? []), ...others.filter((other) => other !== part)]));
  }
  return parts;
}

function findCircle(edges) {
  const done = new Set();
  const visit = (part, trail) => {
    const at = trail.indexOf(part);
    if (at !== -1) return [...trail.slice(at), part];
    if (done.has(part)) return undefined;
    for (const next of edges.get(part) ?? []) {
      const circle = visit(next, [...trail, part]);
      if (circle !== undefined) return circle;
    }
    done.add(part);
    return undefined;
  };
  for (const part of edges.keys()) {
    const circle = visit(part, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

function resolveImport(path, target) {
  return normalize(join(dirname(path), target)).replace(/\.js$/, '.ts');
}

function rowOf(path) {
  return Object.keys(ALLOWED).find((name) => name.includes('/') && isBelow(path, name)) ?? folderOf(path);
}

function folderOf(path) {
  return path.includes('/') ? path.slice(0, path.indexOf('/')) : '';
}

function isBelow(path, name) {
  return path.startsWith(`${name}/`) || path === `${name}.ts`;
}

/** The files of the product: tests may import what they like. */
export function readSources() {
  const folder = join(root, 'src');
  const names = readdirSync(folder, { recursive: true }).filter(
    (name) => /\.tsx?$/.test(name) && !name.endsWith('.test.ts'),
  );
  return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const mistakes = findImportMistakes(readSources());
  for (const mistake of mistakes) console.error(mistake);
  process.exit(mistakes.length === 0 ? 0 : 1);
}
