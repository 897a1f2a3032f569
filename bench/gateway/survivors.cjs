// Loaded into an engine that is measured. The first SIGUSR2 starts to sample allocations, and the second one writes those that
// outlived a collection of young objects to the file BENCH_SURVIVORS.
const { Session } = require('node:inspector');
const { renameSync, writeFileSync } = require('node:fs');

const file = process.env.BENCH_SURVIVORS;
if (file !== undefined && process.argv.includes('serve')) {
  let session;
  process.on('SIGUSR2', () => {
    if (session === undefined) {
      session = new Session();
      session.connect();
      session.post('HeapProfiler.enable');
      session.post('HeapProfiler.startSampling', {
        samplingInterval: 8192,
        includeObjectsCollectedByMajorGC: true,
        includeObjectsCollectedByMinorGC: false,
      });
      return;
    }
    session.post('HeapProfiler.stopSampling', (error, result) => {
      if (error) throw error;
      writeFileSync(`${file}.part`, JSON.stringify(result.profile));
      renameSync(`${file}.part`, file);
      session.disconnect();
      session = undefined;
    });
  });
}
