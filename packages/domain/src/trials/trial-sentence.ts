/**
 * Returns text of others for the record of a trial: one line, bounded, without texts that look like
 * secrets.
 */
import { showError } from '../assertions/redact.ts';

export function trialSentence(said: unknown): string {
  return showError(said).replace(/\s+/g, ' ').trim();
}
