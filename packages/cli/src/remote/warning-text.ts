import { cleanText } from '@proofmark/domain';

/** With its place, on a line of its own: one that names a tool does not say in which case it stands. */
export function warningText({ path, message }: { path: string; message: string }): string {
  return `warning: ${cleanText(message, false)}\n  at ${cleanText(path, false)}`;
}
