import { register } from 'node:module';

/**
 * For `node --import`: tests of a plugin find `sluice/plugin` and `sluice/plugin/testing` in this installation, also
 * where none is beside them.
 */
const PLACES = {
  'sluice/plugin': new URL('../api.js', import.meta.url).href,
  'sluice/plugin/testing': new URL('./index.js', import.meta.url).href,
};

const hooks = `
const places = ${JSON.stringify(PLACES)};
export const resolve = (specifier, context, next) =>
  Object.hasOwn(places, specifier) ? { url: places[specifier], shortCircuit: true } : next(specifier, context);
`;

register(`data:text/javascript,${encodeURIComponent(hooks)}`);
