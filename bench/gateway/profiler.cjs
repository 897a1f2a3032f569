// Loaded into an engine that is measured. The first SIGUSR2 starts a CPU profile, and the second one writes it to the
// file BENCH_PROFILE.
const { Session } = require('node:inspector');
const { writeFileSync } = require('node:fs');

const file = process.env.BENCH_PROFILE;
if (file !== undefined && process.argv.includes('serve')) {
  let session;
  process.on('SIGUSR2', () => {
    if (session === undefined) {
      session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: 200 });
      session.post('Profiler.start');
      return;
    }
    session.post('Profiler.stop', (error, result) => {
      if (error) throw error;
      writeFileSync(file, JSON.stringify(result.profile));
      session.disconnect();
      session = undefined;
    });
  });
}
