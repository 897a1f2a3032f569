// A process that does nothing but look for personal data: told how many milliseconds, it answers how many texts it looked at.
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
