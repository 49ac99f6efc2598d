import { BODIES } from './bodies.ts';
import { CALLBACKS } from './callbacks.ts';
import { FIELDS } from './fields.ts';
import { FRAMING } from './framing.ts';
import { HEADERS } from './headers.ts';
import type { Kind } from './kind.ts';
import { PATHS } from './paths.ts';
import { REQUEST_LINES } from './request-lines.ts';

export const KINDS: readonly Kind[] = [
  ...REQUEST_LINES,
  ...HEADERS,
  ...FRAMING,
  ...PATHS,
  ...BODIES,
  ...FIELDS,
  ...CALLBACKS,
];
