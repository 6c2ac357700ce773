import { cleanText } from '@proofmark/domain';

/**
 * Returns the warning with its place on the next line, since the name of a tool does not identify
 * the case.
 */
export function warningText({ path, message }: { path: string; message: string }): string {
  return `warning: ${cleanText(message, false)}\n  at ${cleanText(path, false)}`;
}
