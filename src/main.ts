#!/usr/bin/env node
import { Argument, Command, Option } from 'commander';
import type { DoctorOptions } from './commands/doctor.js';
import type { DrainOptions } from './commands/drain.js';
import type { EnvoyConfigOptions } from './commands/envoy-config.js';
import type { GuardReplayOptions, GuardTryOptions } from './commands/guard.js';
import type { ShipOptions } from './commands/logs.js';
import type { ModelsOptions, ModelsUpdateOptions } from './commands/models.js';
import { fraction, namesOf, partsOf, seconds, wholeNumber } from './commands/option-values.js';
import type { PiiEvalOptions, PiiOptions } from './commands/pii.js';
import type { ReadLogsOptions } from './commands/read-logs.js';
import type { WorkerOptions } from './commands/worker.js';
import { boundHeaps } from './process/memory.js';
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

const projectOption = [
  '--project <uid or name>',
  'project of the logs; needed if there are several',
] as const;
const urlOption = ['--url <url>', 'URL of the admin service (default: the one of this machine)'] as const;
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
    run<ConfigOption & { role: Role }>(async ({ config, role }) => {
      boundHeaps();
      return (await import('./commands/serve.js')).serve(config, role);
    }),
  );

program
  .command('worker', { hidden: true })
  .description('one worker of an engine; `serve` starts it')
  .option(...configOption)
  .requiredOption('--number <number>', 'which one', wholeNumber)
  .requiredOption('--count <number>', 'of how many', wholeNumber)
  .requiredOption('--role <role>', 'of the process that started it')
  .action(
    run<WorkerOptions>(async (options) => {
      boundHeaps();
      return (await import('./commands/worker.js')).worker(options);
    }),
  );

program
  .command('check')
  .description('check a configuration and list its mistakes')
  .option(...configOption)
  .action(run<ConfigOption>(async ({ config }) => (await import('./commands/check.js')).check(config)));

program
  .command('doctor')
  .description('check a running deployment from inside, and say how to repair it')
  .option(...configOption)
  .addOption(new Option('--role <role>', 'what runs here').choices([...ROLES]).default('all'))
  .option('--json', 'print the findings as JSON')
  .action(run<DoctorOptions>(async (options) => (await import('./commands/doctor.js')).doctor(options)));

const modelsCommand = program
  .command('models')
  .description('list the models whose prices are known by name')
  .option('--json', 'print the whole catalogue as JSON')
  .option('--file <file>', 'catalogue to list (default: the one of this version)')
  .action(run<ModelsOptions>(async (options) => (await import('./commands/models.js')).models(options)));

modelsCommand
  .command('update')
  .description('make a catalogue from a price list of genai-prices')
  .addArgument(new Argument('<from>', 'file or URL of its `prices/new_data/v2/data.json`'))
  .requiredOption('--output <file>', 'file to write; `model_catalogue` in sluice.yaml names it')
  .option('--date <date>', 'day of the prices, YYYY-MM-DD (default: today)')
  .action((from: string, options: ModelsUpdateOptions) =>
    finish(import('./commands/models.js').then(({ updateModels }) => updateModels(from, options))),
  );

program
  .command('envoy-config')
  .description("print Envoy's bootstrap for this configuration")
  .option(...configOption)
  .addOption(
    new Option(
      '--for <target>',
      'an Envoy that Sluice configures alone, or manifests for one that is already there',
    )
      .choices(['standalone', 'istio', 'envoy-gateway'])
      .default('standalone'),
  )
  .option('--name <name>', 'name of the workload (istio) or of the Gateway (envoy-gateway)', 'sluice')
  .option(
    '--engine <host:port>',
    'address of engines on other machines (`engine.listen`), instead of an engine beside Envoy',
  )
  .option(
    '--engine-ca <file>',
    'PEM file with the authority of the engines’ certificates; Envoy then speaks TLS',
  )
  .option('--engine-cert <file>', 'PEM file with the certificate that Envoy presents to the engines')
  .option('--engine-key <file>', 'PEM file with the key of that certificate')
  .option('--output <file>', 'write to a file that only its owner can read (default: standard output)')
  .action(
    run<EnvoyConfigOptions>(async (options) =>
      (await import('./commands/envoy-config.js')).envoyConfig(options),
    ),
  );

program
  .command('drain')
  .description('let the Envoy of the data directory finish its requests before it is stopped')
  .option(...configOption)
  .option('--delay <seconds>', 'time for load balancers to stop sending requests', seconds, 0)
  .option(
    '--timeout <seconds>',
    'time for requests to finish after that (default: the longest total_timeout_ms of the file, at least 600)',
    seconds,
  )
  .action(run<DrainOptions>(async (options) => (await import('./commands/drain.js')).drain(options)));

const pii = program
  .command('pii')
  .description('find personal data: reads JSON lines or plain text, writes JSON lines')
  .option('--text', 'read each line as plain text instead of JSON')
  .option('--score-threshold <number>', 'lowest score that is reported (default: 0.5)', fraction)
  .option('--all', 'report every candidate, with the reason for its score')
  .option('--stats', 'print times and speed on standard error')
  .option('--without <parts>', 'comma-separated parts of the detector to leave out', partsOf)
  .action(run<PiiOptions>(async (options) => (await import('./commands/pii.js')).pii(options)));

pii
  .command('eval')
  .description('compare the findings with marked texts: reads JSON lines, writes a table')
  .option('--sample <number>', 'instead draw this many texts for somebody to mark', wholeNumber)
  .option('--language <code>', 'language of the texts (default: guessed from each text)')
  .option('--entities <types>', 'comma-separated types to look for, or all', namesOf)
  .action(run<PiiEvalOptions>(async (options) => (await import('./commands/pii.js')).piiEval(options)));

const guard = program.command('guard').description('try the guards of an endpoint before they are enforced');

guard
  .command('try')
  .description('reads JSON lines of messages or texts, writes findings and decisions; calls no model')
  .requiredOption('--endpoint <name>', 'endpoint whose guards are tried')
  .option(
    '--project <uid or name>',
    'project of the endpoint; needed if several projects have an endpoint of this name',
  )
  .addOption(
    new Option('--phase <phase>', 'read the lines as requests or as answers').choices([
      'request',
      'response',
    ]),
  )
  .option(...configOption)
  .action(run<GuardTryOptions>(async (options) => (await import('./commands/guard.js')).guardTry(options)));

guard
  .command('replay')
  .description(
    'run the guards of a changed file over stored logs, and report new rejections, findings and times',
  )
  .requiredOption('--endpoint <name>', 'endpoint whose guards and logs are used')
  .option(
    '--project <uid or name>',
    'project of the endpoint; needed if several projects have an endpoint of this name',
  )
  .option('--filter <json>', 'logs to use, as a filter of the API, such as {"tags_any":["tier:pro"]}')
  .option('--limit <number>', 'use at most this many logs, the newest first', wholeNumber, 1_000)
  .option(...configOption)
  .action(
    run<GuardReplayOptions>(async (options) => (await import('./commands/guard.js')).guardReplay(options)),
  );

const plugin = program.command('plugin').description('create a plugin, and test it');

plugin
  .command('new')
  .description('create a working plugin and its test')
  .argument('<name>', "lower-case letters, digits, '_' and '-'")
  .option('--directory <folder>', 'folder for the two files', '.')
  .action((name: string, options: { directory: string }) =>
    finish(import('./commands/plugin.js').then(({ newPlugin }) => newPlugin(name, options))),
  );

plugin
  .command('test')
  .description("run a plugin's test with this installation's sluice/plugin")
  .argument('<file>', 'file of the test')
  .action((file: string) =>
    finish(import('./commands/plugin.js').then(({ testPlugin }) => testPlugin(file))),
  );

program
  .command('spool')
  .description('list the logs that wait to be stored (list), or store dead letters again (replay)')
  .addArgument(new Argument('<action>').choices(['list', 'replay']))
  .option(...configOption)
  .action((action: 'list' | 'replay', options: ConfigOption) =>
    finish(import('./commands/spool.js').then(({ spool }) => spool(action, options))),
  );

const logs = program.command('logs').description('read logs, or store logs that a dead engine left behind');

logs
  .command('tail')
  .description('print a line for each of the newest logs, then for each new one')
  .option(...projectOption)
  .option(...urlOption)
  .option('--limit <number>', 'number of existing logs to begin with', wholeNumber, 10)
  .option('--json', 'print each log as a line of JSON')
  .action(
    run<ReadLogsOptions>(async (options) => (await import('./commands/read-logs.js')).tailLogs(options)),
  );

logs
  .command('get')
  .description('print one whole log as JSON')
  .argument('<id>', 'id of the log; clients get it in the header x-inference-log-id')
  .option(...projectOption)
  .option(...urlOption)
  .action((id: string, options: ReadLogsOptions) =>
    finish(import('./commands/read-logs.js').then(({ getLog }) => getLog(id, options))),
  );

logs
  .command('ship')
  .description('store the logs in spools that dead engines left behind')
  .option('--spool <folder>', 'folder of the spools (default: spool/ in the data directory)')
  .option('--timeout <seconds>', 'give up after this time', seconds, 600)
  .option(...configOption)
  .action(run<ShipOptions>(async (options) => (await import('./commands/logs.js')).shipLogs(options)));

program
  .command('mongo')
  .description('print the commands that shard the database (shard), or run them')
  .addArgument(new Argument('<action>').choices(['shard']))
  .option('--run', 'run the commands on the cluster of MONGODB_URI')
  .action((_action: 'shard', options: { run?: boolean }) =>
    finish(import('./commands/mongo.js').then(({ shardDatabase }) => shardDatabase(options))),
  );

/** They run until they are told to end, whoever reads what they print. */
const SERVING = ['serve', 'worker'];

program.hook('preAction', (_program, command) => {
  if (!SERVING.includes(command.name())) process.stdout.on('error', endWithReader);
});

await program.parseAsync();

/** A reader that closes the output early, such as `head`, has seen enough. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit(process.exitCode ?? 0);
}

function run<Options>(command: (options: Options) => Promise<number>) {
  return (options: Options) => finish(command(options));
}

async function finish(code: Promise<number>): Promise<void> {
  try {
    process.exitCode = await code;
  } catch (error) {
    // A file or an address that cannot be used. Its message is enough, without a stack.
    const { syscall, message } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    console.error(message);
    process.exitCode = 1;
  }
}
