/**
 * The category `metadata` blames the names, descriptions or schemas of tools. It is claimed only
 * when a judge of causes scored it so and quotes what misled the model; these are the quotes.
 */
import { isSaid } from './limit-evidence.ts';
import type { TrialEvidence } from './trial-evidence.ts';

export function metadataQuotes({ attribution }: TrialEvidence): readonly string[] {
  return attribution?.category === 'metadata' ? attribution.quotes.filter(isSaid) : [];
}
