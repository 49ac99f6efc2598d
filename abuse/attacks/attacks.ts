import type { Attack } from './attack.ts';
import { BULK_BODIES } from './bulk-bodies.ts';
import { CALLBACK_FLOODS } from './callback-floods.ts';
import { DOCUMENTS_FLOOD } from './documents.ts';
import { FULL_DISK } from './full-disk.ts';
import { HALF_OPEN } from './half-open.ts';
import { MALFORMED_REQUESTS } from './malformed-requests.ts';
import { MANAGEMENT_WRITES } from './management-writes.ts';
import { PIPELINES } from './pipelines.ts';
import { SLOW_BODIES } from './slow-bodies.ts';
import { UNKNOWN_KEYS } from './unknown-keys.ts';
import { UNKNOWN_PATHS } from './unknown-paths.ts';
import { UNREAD_ANSWERS } from './unread-answers.ts';
import { WITHHELD_BODIES } from './withheld-bodies.ts';

/** In the order of execution. The full disk is last, because a database may not recover from it. */
export const ATTACKS: readonly Attack[] = [
  ...BULK_BODIES,
  ...UNREAD_ANSWERS,
  PIPELINES,
  ...SLOW_BODIES,
  ...CALLBACK_FLOODS,
  ...WITHHELD_BODIES,
  ...UNKNOWN_KEYS,
  ...HALF_OPEN,
  ...UNKNOWN_PATHS,
  ...MALFORMED_REQUESTS,
  DOCUMENTS_FLOOD,
  MANAGEMENT_WRITES,
  FULL_DISK,
];
