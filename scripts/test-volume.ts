/** Set by `npm run test:full`; tests in processes of their own inherit it. */
export const VOLUME_VARIABLE = 'KAFUE_TEST_VOLUME';

/**
 * How much a long test does. `npm test` and `npm run test:slow` do enough to fail when the promise is broken; `npm run
 * test:full` does all of it, to find what happens rarely.
 */
export function volume<T>({ usual, full }: Readonly<{ usual: T; full: T }>): T {
  return process.env[VOLUME_VARIABLE] === 'full' ? full : usual;
}
