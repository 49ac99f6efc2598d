/** The raw body as it came, byte for byte; not parsed, and not written anew. */
export type WebhookPayload = string | Uint8Array | ArrayBuffer;

/** One secret; or the old and the new one, while a secret is being rotated. */
export type WebhookSecrets =
  | Readonly<{ secret: string; secrets?: undefined }>
  | Readonly<{ secrets: readonly string[]; secret?: undefined }>;
