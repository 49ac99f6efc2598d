/** Our own files alone: nothing inline, nothing from elsewhere, and no page that shows ours in a frame. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Passkeys are all that the console asks a browser for. */
const PERMISSIONS_POLICY = [
  'publickey-credentials-get=(self)',
  'publickey-credentials-create=(self)',
  ...['camera', 'microphone', 'geolocation', 'payment', 'usb', 'display-capture'].map(
    (name) => `${name}=()`,
  ),
].join(', ');

const ONE_YEAR_SECONDS = 31_536_000;

export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'permissions-policy': PERMISSIONS_POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Browsers obey it over https only. Not sent to this machine, where plain http is allowed. */
export const ONLY_HTTPS: Readonly<Record<string, string>> = {
  'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}`,
};

export const IMMUTABLE = `public, max-age=${ONE_YEAR_SECONDS}, immutable`;
