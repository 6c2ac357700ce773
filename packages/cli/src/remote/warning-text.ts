import { cleanText } from '@proofmark/domain';
import { withKeyFlag } from './model-keys.ts';

/** Adds the path on a second line, because the message may name only a tool and not the case. */
export function warningText({ path, message }: { path: string; message: string }): string {
  return `warning: ${withKeyFlag(cleanText(message, false))}\n  at ${cleanText(path, false)}`;
}
