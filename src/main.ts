#!/usr/bin/env node
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import type { DoctorOptions } from './commands/doctor.js';
import type { EnvoyConfigOptions } from './commands/envoy-config.js';
import type { GuardReplayOptions, GuardTryOptions } from './commands/guard.js';
import type { ShipOptions } from './commands/logs.js';
import type { ModelsOptions, ModelsUpdateOptions } from './commands/models.js';
import type { PiiEvalOptions, PiiOptions } from './commands/pii.js';
import type { ReadLogsOptions } from './commands/read-logs.js';
import type { WorkerOptions } from './commands/worker.js';
import { DETECTOR_PARTS, type DetectorPart } from './pii/parts.js';
import { ROLES, type Role } from './process/role.js';
import { VERSION } from './version.js';

/* The command line. Each command is a file in commands/, loaded when it is called; its result is the exit code. */

const program = new Command('sluice')
  .description(
    'Guards, routes, checks, records and learns from every request to a language model behind Envoy.',
  )
  .version(VERSION);

interface ConfigOption {
  config?: string;
}

const projectOption = ['--project <uid or name>', 'which one, where there are several'] as const;
const urlOption = ['--url <url>', 'of the admin service (default: the one of this machine)'] as const;
const configOption = ['--config <file>', 'path of sluice.yaml (default: $SLUICE_CONFIG)'] as const;

program
  .command('serve')
  .description('run the engine and the admin service')
  .option(...configOption)
  .addOption(
    new Option('--role <role>', 'the engine alone, the admin service alone, or both')
      .choices([...ROLES])
      .default('all'),
  )
  .action(
    run<ConfigOption & { role: Role }>(async ({ config, role }) =>
      (await import('./commands/serve.js')).serve(config, role),
    ),
  );

program
  .command('worker', { hidden: true })
  .description('one worker of an engine; `serve` starts it')
  .option(...configOption)
  .requiredOption('--number <number>', 'which one', wholeNumber)
  .requiredOption('--count <number>', 'of how many', wholeNumber)
  .requiredOption('--role <role>', 'of the process that started it')
  .action(run<WorkerOptions>(async (options) => (await import('./commands/worker.js')).worker(options)));

program
  .command('check')
  .description('check a configuration and list its mistakes')
  .option(...configOption)
  .action(run<ConfigOption>(async ({ config }) => (await import('./commands/check.js')).check(config)));

program
  .command('doctor')
  .description('check a deployment from inside, and say what to do')
  .option(...configOption)
  .addOption(new Option('--role <role>', 'what runs here').choices([...ROLES]).default('all'))
  .option('--json', 'findings as JSON')
  .action(run<DoctorOptions>(async (options) => (await import('./commands/doctor.js')).doctor(options)));

const modelsCommand = program
  .command('models')
  .description('list the models whose prices a provider can take by name')
  .option('--json', 'the whole catalogue as JSON')
  .option('--file <file>', 'another catalogue than the one of this version')
  .action(run<ModelsOptions>(async (options) => (await import('./commands/models.js')).models(options)));

modelsCommand
  .command('update')
  .description('make a catalogue of a price list of genai-prices')
  .addArgument(new Argument('<from>', 'its `prices/new_data/v2/data.json`: a file or a URL'))
  .requiredOption('--output <file>', 'where the catalogue goes; `model_catalogue` of sluice.yaml names it')
  .option('--date <date>', 'the day of the prices, YYYY-MM-DD (default: today)')
  .action((from: string, options: ModelsUpdateOptions) =>
    finish(import('./commands/models.js').then(({ updateModels }) => updateModels(from, options))),
  );

program
  .command('envoy-config')
  .description("print Envoy's bootstrap for this configuration")
  .option(...configOption)
  .addOption(
    new Option('--for <target>', 'an Envoy of ours, or manifests for one that is there')
      .choices(['standalone', 'istio', 'envoy-gateway'])
      .default('standalone'),
  )
  .option('--name <name>', 'of the workload (istio) or of the Gateway (envoy-gateway)', 'sluice')
  .option('--engine <host:port>', 'engines elsewhere (`engine.listen`), instead of one beside the Envoy')
  .option('--engine-ca <file>', 'PEM file with the authority of their certificates: the Envoy speaks TLS')
  .option('--engine-cert <file>', 'PEM file with the certificate that the Envoy shows them')
  .option('--engine-key <file>', 'PEM file with its key')
  .option('--output <file>', 'write it to a file that only its owner can read')
  .action(
    run<EnvoyConfigOptions>(async (options) =>
      (await import('./commands/envoy-config.js')).envoyConfig(options),
    ),
  );

program
  .command('drain')
  .description('let the Envoy of the data directory finish what is under way, before it is ended')
  .option('--delay <seconds>', 'time for load balancers to notice', seconds, 0)
  .action(run<{ delay: number }>(async (options) => (await import('./commands/drain.js')).drain(options)));

const pii = program
  .command('pii')
  .description('find personal data: lines of JSON or text in, JSON lines out')
  .option('--text', 'each line in is a text as it stands, and no JSON')
  .option('--score-threshold <number>', 'lowest score that counts (default: 0.5)', fraction)
  .option('--all', 'every candidate, with the reason for its score')
  .option('--stats', 'times and speed, on standard error')
  .option('--without <parts>', 'parts of the detector that are left out, with commas between', partsOf)
  .action(run<PiiOptions>(async (options) => (await import('./commands/pii.js')).pii(options)));

pii
  .command('eval')
  .description('compare what is found with what somebody marked: JSON lines in, a table out')
  .option('--sample <number>', 'draw so many texts instead, to be marked', wholeNumber)
  .action(run<PiiEvalOptions>(async (options) => (await import('./commands/pii.js')).piiEval(options)));

const guard = program.command('guard').description('try the guards of an endpoint before they are enforced');

guard
  .command('try')
  .description('JSON lines of messages or texts in, findings and decisions out; no model is asked')
  .requiredOption('--endpoint <name>', 'whose guards')
  .option('--project <uid or name>', 'of which project, where several have such an endpoint')
  .addOption(new Option('--phase <phase>', 'as a request, or as an answer').choices(['request', 'response']))
  .option(...configOption)
  .action(run<GuardTryOptions>(async (options) => (await import('./commands/guard.js')).guardTry(options)));

guard
  .command('replay')
  .description(
    'run the guards of a changed file over stored logs: new rejections and findings, and their time',
  )
  .requiredOption('--endpoint <name>', 'whose guards, and whose logs')
  .option('--project <uid or name>', 'of which project, where several have such an endpoint')
  .option('--filter <json>', 'which logs, by the filters of the API, such as {"tags_any":["tier:pro"]}')
  .option('--limit <number>', 'how many logs at most, the newest', wholeNumber, 1_000)
  .option(...configOption)
  .action(
    run<GuardReplayOptions>(async (options) => (await import('./commands/guard.js')).guardReplay(options)),
  );

const plugin = program.command('plugin').description('write a plugin, and test it');

plugin
  .command('new')
  .description('write a plugin that works, and its test')
  .argument('<name>', "lower-case letters, digits, '_' and '-'")
  .option('--directory <folder>', 'where the two files go', '.')
  .action((name: string, options: { directory: string }) =>
    finish(import('./commands/plugin.js').then(({ newPlugin }) => newPlugin(name, options))),
  );

plugin
  .command('test')
  .description("run a plugin's test with this installation's sluice/plugin")
  .argument('<file>', 'the test')
  .action((file: string) =>
    finish(import('./commands/plugin.js').then(({ testPlugin }) => testPlugin(file))),
  );

program
  .command('spool')
  .description('list what waits to be stored, or offer dead letters again (replay)')
  .addArgument(new Argument('<action>').choices(['list', 'replay']))
  .option(...configOption)
  .action((action: 'list' | 'replay', options: ConfigOption) =>
    finish(import('./commands/spool.js').then(({ spool }) => spool(action, options))),
  );

const logs = program.command('logs').description('read logs, or bring those that were left behind');

logs
  .command('tail')
  .description('a line for each of the newest logs, and then for each that comes')
  .option(...projectOption)
  .option(...urlOption)
  .option('--limit <number>', 'how many of those that are there', wholeNumber, 10)
  .option('--json', 'each log as a line of JSON')
  .action(
    run<ReadLogsOptions>(async (options) => (await import('./commands/read-logs.js')).tailLogs(options)),
  );

logs
  .command('get')
  .description('one log, whole, as JSON')
  .argument('<id>', 'of the log; clients get it as the header x-inference-log-id')
  .option(...projectOption)
  .option(...urlOption)
  .action((id: string, options: ReadLogsOptions) =>
    finish(import('./commands/read-logs.js').then(({ getLog }) => getLog(id, options))),
  );

logs
  .command('ship')
  .description('bring spools that dead engines left behind to where logs are kept')
  .option('--spool <folder>', 'where they are (default: spool/ in the data directory)')
  .option('--timeout <seconds>', 'when to give up', seconds, 600)
  .option(...configOption)
  .action(run<ShipOptions>(async (options) => (await import('./commands/logs.js')).shipLogs(options)));

program
  .command('mongo')
  .description('shard: print, or run, the commands that make the database a sharded one')
  .addArgument(new Argument('<action>').choices(['shard']))
  .option('--run', 'run them on the cluster of MONGODB_URI')
  .action((_action: 'shard', options: { run?: boolean }) =>
    finish(import('./commands/mongo.js').then(({ shardDatabase }) => shardDatabase(options))),
  );

await program.parseAsync();

function run<Options>(command: (options: Options) => Promise<number>) {
  return (options: Options) => finish(command(options));
}

async function finish(code: Promise<number>): Promise<void> {
  try {
    process.exitCode = await code;
  } catch (error) {
    // A file or an address that cannot be used: the message is enough, without a stack.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    console.error(message);
    process.exitCode = 1;
  }
}

function seconds(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 86_400)) {
    throw new InvalidArgumentError('a number of seconds was expected');
  }
  return value;
}

function wholeNumber(text: string): number {
  if (!/^[1-9][0-9]{0,9}$/.test(text)) throw new InvalidArgumentError('a number from 1 on was expected');
  return Number(text);
}

function partsOf(text: string): DetectorPart[] {
  return text.split(',').map((name) => {
    const part = DETECTOR_PARTS.find((one) => one === name.trim());
    if (part === undefined)
      throw new InvalidArgumentError(`parts were expected, of: ${DETECTOR_PARTS.join(', ')}`);
    return part;
  });
}

function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError('a number from 0 to 1 was expected');
  }
  return value;
}
