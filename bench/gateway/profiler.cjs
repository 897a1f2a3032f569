// Loaded into an engine that is measured. The first SIGUSR2 starts a profile, and the second one writes it to the file
// BENCH_PROFILE. BENCH_PROFILE_OF says of what: `cpu`, or `survivors`, the allocations that outlive a collection of young objects.
const { Session } = require('node:inspector');
const { renameSync, writeFileSync } = require('node:fs');

const KINDS = {
  cpu: {
    start: [['Profiler.enable'], ['Profiler.setSamplingInterval', { interval: 200 }], ['Profiler.start']],
    stop: 'Profiler.stop',
  },
  survivors: {
    start: [
      ['HeapProfiler.enable'],
      [
        'HeapProfiler.startSampling',
        {
          samplingInterval: 8192,
          includeObjectsCollectedByMajorGC: true,
          includeObjectsCollectedByMinorGC: false,
        },
      ],
    ],
    stop: 'HeapProfiler.stopSampling',
  },
};

const { BENCH_PROFILE: file, BENCH_PROFILE_OF: of } = process.env;
if (file !== undefined && process.argv.includes('serve')) {
  const kind = KINDS[of];
  let session;
  process.on('SIGUSR2', () => {
    if (session === undefined) {
      session = new Session();
      session.connect();
      for (const [method, parameters] of kind.start) session.post(method, parameters);
      return;
    }
    session.post(kind.stop, (error, result) => {
      if (error) throw error;
      // The file has its name once it is complete.
      writeFileSync(`${file}.part`, JSON.stringify(result.profile));
      renameSync(`${file}.part`, file);
      session.disconnect();
      session = undefined;
    });
  });
}
