import type { Claims } from './issuer.ts';

/** RFC 8176: more than one factor. */
const MULTIPLE_FACTORS = 'mfa';
/** Classes that are defined to need more than one factor, or a passkey: of OpenID PAPE, and of OpenID EAP. */
const CLASSES = ['http://schemas.openid.net/pape/policies/2007/06/multi-factor', 'phr', 'phrh'];

/**
 * Whether the issuer says that the person showed a second factor there. Then the session has one; a person of whom it
 * does not say so shows one of their own by step-up. It is no step-up itself: it may have been hours ago.
 */
export function hasShownSecondFactor({
  methods,
  contextClass,
}: Pick<Claims, 'methods' | 'contextClass'>): boolean {
  return (
    methods.includes(MULTIPLE_FACTORS) || (contextClass !== null && CLASSES.includes(contextClass))
  );
}
