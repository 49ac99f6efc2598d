/**
 * Only these three files of undici are loaded. Its main file would also load fetch, caches and web sockets, and replace
 * the dispatcher of Node's own fetch by one that speaks HTTP/2.
 */
declare module 'undici/lib/dispatcher/pool.js' {
  import { Pool } from 'undici';
  export default Pool;
}

declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';
  export default Client;
}

declare module 'undici/lib/core/connect.js' {
  import { buildConnector } from 'undici';
  export default buildConnector;
}
