import { hash } from 'node:crypto';
import type { PolicyDocument } from './policy-version.ts';

/** What names a document: people publish and confirm the very one that they read. */
export function hashDocument(document: PolicyDocument): string {
  return hash('sha256', JSON.stringify(document), 'hex');
}
