import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSdk } from './build-sdk.ts';

/** The folder to write, below which npm looks for what the package names. */
const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url));
await buildSdk(resolve(dist));
