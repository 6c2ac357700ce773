/**
 * Makes untrusted text safe to store with a trial: one line, limited in length, without anything
 * that looks like a secret.
 */
import { showError } from '../assertions/redact.ts';

export function trialSentence(error: unknown): string {
  return showError(error).replace(/\s+/g, ' ').trim();
}
