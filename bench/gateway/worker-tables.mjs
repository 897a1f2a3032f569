import { memoryOf } from './processes.mjs';
import { median } from './report.mjs';

/**
 * Prints the results. `arms` are engines on a number of `processors`, each with its workers, parts and rounds. `bare`
 * has the texts that bare detectors read in each round, for each number of detectors in `counts`.
 */
export function tell({ counts, arms, bare }) {
  const gains = bare.map((rounds, at) => {
    const gain = median(rounds.map((looked, round) => looked / bare[0][round]));
    return `${counts[at]}: ${gain.toFixed(2)}`;
  });
  console.log(`bare detectors, × the first: ${gains.join(', ')}; the median of ${bare[0].length} rounds`);
  tellRow([
    ...['workers', 'on processors', 'requests/s', '× the first, round by round', 'each round'],
    ...['p50 ms', 'p99 ms', 'requests of each worker', 'in flight at each', 'a worker had none'],
  ]);
  for (const arm of arms) tellRow(rateRow(arm, arms[0].rounds));
  const parts = ['engine', ...workersOf(arms.at(-1)), 'envoy', 'mongod', 'model', 'clients', 'bench'];
  console.log('ms of CPU a request, and of all processors');
  tellRow([
    ...['workers', 'on processors', ...parts, 'all', 'the engine’s share', 'cores of the engine'],
    ...['processors idle', 'at other work', 'MiB of the engine’s processes'],
  ]);
  for (const arm of arms) tellRow(costRow(arm, parts));
}

function rateRow({ workers, processors, rounds }, first) {
  const middle = middleOf(rounds);
  const ratios = rounds.map(({ rate }, round) => rate / first[round].rate);
  const served = rounds.map(({ served }) => served);
  const looks = rounds.flatMap(({ inFlight }) => inFlight);
  const without = looks.filter((look) => look.includes(0)).length;
  return [
    workers,
    processors,
    middle(({ rate }) => rate, 1),
    median(ratios).toFixed(2),
    ratios.map((ratio) => ratio.toFixed(2)).join(' '),
    middle(({ p50 }) => p50, 0),
    middle(({ p99 }) => p99, 0),
    shares(served, (own, all) => percent(own / all)),
    shares(looks, (own) => (own / looks.length).toFixed(1)),
    looks.length === 0 ? '' : percent(without / looks.length),
  ];
}

function costRow(arm, parts) {
  const { workers, processors, rounds } = arm;
  const middle = middleOf(rounds);
  const own = ['engine', ...workersOf(arm)];
  const memory = memoryOf(arm);
  return [
    workers,
    processors,
    ...parts.map((part) =>
      part in rounds[0].cpu ? middle((seen) => (seen.cpu[part] * 1000) / seen.total, 2) : '',
    ),
    middle((seen) => (sum(seen) * 1000) / seen.total, 2),
    `${middle((seen) => (sum(seen, own) / sum(seen)) * 100, 0)} %`,
    middle((seen) => sum(seen, own) / seen.seconds, 2),
    `${middle(({ machine }) => (machine.idle / machine.all) * 100, 0)} %`,
    `${middle((seen) => (1 - (seen.machine.idle + sum(seen)) / seen.machine.all) * 100, 0)} %`,
    own.map((part) => memory[part].toFixed(0)).join(', '),
  ];
}

function tellRow(columns) {
  console.log(columns.join(' | '));
}

/** The names of a system's worker processes. */
function workersOf({ parts }) {
  return Object.keys(parts).filter((name) => name.startsWith('worker-'));
}

/** The CPU of these processes, or of all of them. */
function sum({ cpu }, names = Object.keys(cpu)) {
  return names.reduce((all, name) => all + cpu[name], 0);
}

/** The share of each worker over all rounds, written by `show`. */
function shares(lists, show) {
  const sums = [];
  for (const list of lists) for (const [at, count] of list.entries()) sums[at] = (sums[at] ?? 0) + count;
  const all = sums.reduce((total, count) => total + count, 0);
  return sums.map((own) => show(own, all)).join(', ');
}

/** The median of a figure over the rounds, as text. */
function middleOf(rounds) {
  return (figure, digits) => median(rounds.map(figure)).toFixed(digits);
}

function percent(share) {
  return `${(share * 100).toFixed(0)} %`;
}
