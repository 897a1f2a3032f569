import { register } from 'node:module';

/**
 * For `node --import`: a plugin's tests resolve `sluice/plugin` and `sluice/plugin/testing` to this installation,
 * even where the package is not installed beside them.
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
