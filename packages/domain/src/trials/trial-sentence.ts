/** Text of others as it may stand in the record of a trial: one line, bounded, without what looks like a secret. */
import { showError } from '../assertions/redact.ts';

export function trialSentence(said: unknown): string {
  return showError(said).replace(/\s+/g, ' ').trim();
}
