/** The raw body as it came, byte for byte; not parsed, and not written anew. */
export type WebhookPayload =
  | string
  | ArrayBuffer
  /** Bytes. No Uint8Array: the Buffer of Node.js 20's types is none to a newer compiler. */
  | ArrayBufferView;

/** One secret; or the old and the new one, while a secret is being rotated. */
export type WebhookSecrets =
  | Readonly<{ secret: string; secrets?: undefined }>
  | Readonly<{ secrets: readonly string[]; secret?: undefined }>;
