import { fileURLToPath } from 'node:url';
import type { Schema } from '../postgres/prepare-schema.ts';
import { GROWING_TABLES } from './growing-tables.ts';

/** The tables of the service, and the rights of its role on them. */
export const SERVICE_SCHEMA: Schema = {
  migrations: fileURLToPath(new URL('../../migrations', import.meta.url)),
  grants: {
    file: fileURLToPath(new URL('../../grants/service-role.sql', import.meta.url)),
    analysed: GROWING_TABLES,
  },
  mainTable: 'transfers',
};
