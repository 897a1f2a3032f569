import { test } from 'node:test';
import { conformanceTests } from 'sluice/plugin/testing';
import plugin from './NAME.mjs';

// Your own samples. The suite adds the rest: streams that are cut anywhere, odd messages, long texts, many calls at
// once.
const samples = {
  config: { words: ['acme', 'x+y'] },
  badConfigs: [{}, { words: [] }, { words: ['a'], other: 1 }],
  request: {
    passes: ['Where is my parcel?', 'An acmeologist is something else.'],
    rejects: { 'Is Acme better?': 'NAME', 'x+y': 'NAME' },
  },
  response: {
    passes: ['It is on its way.'],
    modifies: { 'Ask Acme, or ACME.': 'Ask ***, or ***.' },
  },
};

for (const { name, run } of conformanceTests(plugin, samples)) test(name, run);
