/** Owns the database and migrates it; not a superuser. */
export const ROLE = 'kafue';
/** The role of the service itself: it owns nothing, and has only the rights that it is granted. */
export const SERVICE_ROLE = 'kafue_service';
export const DATABASE = 'kafue';
export const HOST = '127.0.0.1';

/** What must be on before a 201 may promise that a transfer is stored. */
export const DURABLE_SETTINGS = [
  'data_checksums',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
] as const;

/**
 * Given on the server's command line at each start, so that no configuration file can override them and a later version
 * of this table also applies to older clusters.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: HOST,
  unix_socket_directories: '',
  cluster_name: 'kafue',
  // A service uses up to 22, and several may share the server, with commands of administrators beside them.
  max_connections: '200',

  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',

  // Fits a small machine.
  shared_buffers: '256MB',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  wal_compression: 'on',
  checkpoint_timeout: '15min',
  jit: 'off',

  lc_messages: 'C',
  timezone: 'UTC',

  // Refusals such as a duplicate reference are normal, and their details would put phone numbers into the log. So only
  // messages about the server itself are logged.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_line_prefix: '%m [%p] ',
  log_timezone: 'UTC',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

export function settingArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Every connection needs the password, also on this machine; nothing else is allowed. */
export const HOST_RULES =
  `host all ${ROLE} ${HOST}/32 scram-sha-256\n` +
  `host all ${SERVICE_ROLE} ${HOST}/32 scram-sha-256\n`;
