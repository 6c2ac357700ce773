/**
 * Returns the quotes that justify the category `metadata`, which blames the names, descriptions or
 * schemas of tools. The category is set only if a judge of causes scored it and quoted the text
 * that misled the model.
 */
import { isSaid } from './limit-evidence.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function metadataQuotes({ attribution }: TrialEvidence): readonly string[] {
  return attribution?.category === 'metadata' ? attribution.quotes.filter(isSaid) : [];
}
