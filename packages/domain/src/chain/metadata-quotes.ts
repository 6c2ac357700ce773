/**
 * The category `metadata` blames the names, descriptions or schemas of tools. It is set only if a
 * judge of causes scored it and quotes the text that misled the model; these are the quotes.
 */
import { isSaid } from './limit-evidence.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function metadataQuotes({ attribution }: TrialEvidence): readonly string[] {
  return attribution?.category === 'metadata' ? attribution.quotes.filter(isSaid) : [];
}
