/** The median of each figure over a target's rounds, and the smallest and largest CPU. */
export function measured({ name, tries, beside }, list) {
  const middle = (figure) => median(list.map(figure));
  const parts = Object.keys(list[0].cpu);
  const sums = list.map(({ cpu }) => addUp(cpu)).sort((one, other) => one - other);
  return {
    name,
    /** The number of models that one answer takes; absent where the target is not Sluice. */
    tries,
    beside,
    rate: middle(({ rate }) => rate),
    p50: middle(({ p50 }) => p50),
    p99: middle(({ p99 }) => p99),
    cpu: Object.fromEntries(parts.map((part) => [part, middle(({ cpu }) => cpu[part])])),
    least: sums[0],
    most: sums.at(-1),
    memoryBefore: list[0].memory,
    memoryAfter: list.at(-1).memory,
  };
}

function addUp(cpu) {
  return Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
}

/** A case as a table of Markdown. CPU is milliseconds a request. */
export function table({ name, rows }) {
  const cell = (value, digits = 3) => (value === undefined ? '' : value.toFixed(digits));
  const lines = rows.map((row) => {
    const { envoy, engine, mongod } = row.cpu;
    const memory = (part) =>
      row.memoryAfter[part] === undefined
        ? ''
        : `${cell(row.memoryBefore[part], 0)}–${cell(row.memoryAfter[part], 0)}`;
    return [
      row.name,
      ...[
        cell(envoy),
        cell(engine),
        cell(mongod),
        cell(addUp(row.cpu)),
        `${cell(row.least)}–${cell(row.most)}`,
      ],
      ...[cell(row.rate, 0), cell(row.p50, 2), cell(row.p99, 2)],
      ...[`${memory('engine')} / ${memory('mongod')}`],
    ];
  });
  const head = `| ${name} | Envoy | engine | mongod | CPU ms | least–most | requests/s | p50 ms | p99 ms | MiB engine / mongod |`;
  const rule = '|---|---|---|---|---|---|---|---|---|---|';
  return `\n${[head, rule, ...lines.map((cells) => `| ${cells.join(' | ')} |`)].join('\n')}`;
}

/** The figures as ratios, which are comparable between machines. */
export function verdicts(results) {
  const lines = [];
  for (const { name, rows } of results) {
    const of = (target) => rows.find((row) => row.name === target);
    const [bare, noop, sluice] = [of('bare Envoy'), of('no-op ext_proc'), of('Sluice')];
    if (bare && noop && sluice) {
      const { mongod = 0, ...without } = sluice.cpu;
      lines.push(
        `${name}: Envoy and engine ${(addUp(without) / addUp(noop.cpu)).toFixed(2)} × no-op, with mongod ` +
          `${((addUp(without) + mongod) / addUp(noop.cpu)).toFixed(2)} ×; p50 ` +
          `${((sluice.p50 - bare.p50) / (noop.p50 - bare.p50)).toFixed(2)} ×, each less bare Envoy; requests/s ` +
          `${(sluice.rate / noop.rate).toFixed(2)} ×`,
      );
    }
    const other = of('Envoy AI Gateway');
    if (other && sluice) {
      const ratio = (one, over) => (one / over).toFixed(2);
      lines.push(
        `${name}: Sluice with mongod ${ratio(addUp(sluice.cpu), addUp(other.cpu))} × Envoy AI Gateway; p50 ` +
          `${ratio(sluice.p50, other.p50)} ×; requests/s ${ratio(sluice.rate, other.rate)} ×`,
      );
    }
    for (const row of rows.filter(({ tries }) => tries !== undefined)) {
      const base = of(row.beside ?? 'Sluice');
      if (base === undefined || row === base) continue;
      // An answer from the cache has no try; it counts as one.
      const tries = Math.max(1, row.tries);
      const ratio = addUp(row.cpu) / addUp(base.cpu) / tries;
      const times = tries === 1 ? '' : `${tries} times `;
      lines.push(`${name}: ${row.name} ${ratio.toFixed(2)} × ${times}"${base.name}"`);
    }
  }
  return `\n${lines.join('\n')}`;
}

/** The difference to an earlier run. It only means something where both ran on the same machine. */
export function changes(results, earlier, from) {
  const lines = [];
  for (const { name, rows } of results) {
    for (const row of rows) {
      const before = earlier.find((one) => one.name === name)?.rows.find((one) => one.name === row.name);
      if (before === undefined) continue;
      const percent = (addUp(row.cpu) / addUp(before.cpu) - 1) * 100;
      lines.push(`${name} ${row.name}: CPU ${percent > 0 ? '+' : ''}${percent.toFixed(0)} % against ${from}`);
    }
  }
  return lines.join('\n');
}

export function median(numbers) {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
}
