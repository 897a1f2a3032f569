#!/usr/bin/env node
import { Command, InvalidArgumentError } from 'commander';
import { check } from './commands/check.js';
import { envoyConfig } from './commands/envoy-config.js';
import { pii } from './commands/pii.js';
import { serve } from './commands/serve.js';
import { spool } from './commands/spool.js';

/* The command line. Each command is a file in commands/; its result is the exit code. */

const program = new Command('sluice').description(
  'Guards, routes, checks, records and learns from every request to a language model behind Envoy.',
);

const configOption = ['--config <file>', 'path of sluice.yaml (default: $SLUICE_CONFIG)'] as const;

program
  .command('serve')
  .description('run the engine and the admin service')
  .option(...configOption)
  .action(run((options: { config?: string }) => serve(options.config)));

program
  .command('check')
  .description('check a configuration and list its mistakes')
  .option(...configOption)
  .action(run((options: { config?: string }) => check(options.config)));

program
  .command('envoy-config')
  .description("print Envoy's bootstrap for this configuration")
  .option(...configOption)
  .action(run((options: { config?: string }) => envoyConfig(options.config)));

program
  .command('pii')
  .description('find personal data: JSON lines in, JSON lines out')
  .option('--score-threshold <number>', 'lowest score that counts (default: 0.5)', fraction)
  .option('--all', 'every candidate, with the reason for its score')
  .option('--stats', 'times and speed, on standard error')
  .action(run(pii));

program
  .command('spool')
  .description('list what waits to be stored, or offer dead letters to MongoDB again')
  .argument('<action>', 'list or replay')
  .action((action: string) => finish(spool(action)));

await program.parseAsync();

function run<Options>(command: (options: Options) => Promise<number>) {
  return (options: Options) => finish(command(options));
}

async function finish(code: Promise<number>): Promise<void> {
  process.exitCode = await code;
}

function fraction(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError('a number from 0 to 1 was expected');
  }
  return value;
}
