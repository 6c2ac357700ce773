/**
 * Returns the judge's quotes of the tool text that misled the model. The category `metadata`
 * requires at least one quote.
 */
import { hasText } from './limit-evidence.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function metadataQuotes({ attribution }: TrialEvidence): readonly string[] {
  return attribution?.category === 'metadata' ? attribution.quotes.filter(hasText) : [];
}
