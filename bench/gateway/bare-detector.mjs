// A process that only looks for personal data. It receives a number of milliseconds, and answers how many texts it
// read in that time.
import { createDetector } from '../../dist/pii/index.js';
import { personalText } from './bodies.mjs';

const characters = Number(process.argv[2]);
const detector = createDetector({ language: 'en' });
let number = 0;
process.on('message', (ms) => {
  let done = 0;
  for (const end = performance.now() + ms; performance.now() < end; done++)
    detector.detectSync(personalText(number++, characters));
  process.send(done);
});
process.send('ready');
