import { cleanText } from '@proofmark/domain';

/**
 * Returns the warning with its path on a second line, since the message may name only a tool and
 * not the case.
 */
export function warningText({ path, message }: { path: string; message: string }): string {
  return `warning: ${cleanText(message, false)}\n  at ${cleanText(path, false)}`;
}
