/** What is wrong with what was sent, one line for each place, where the service named places. */
import { ApiError } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';

const shownFindings = 20;

export function findingLines(error: unknown): string[] {
  if (!(error instanceof ApiError)) return [];
  const { findings, issues } = error.details;
  const given = Array.isArray(findings) ? findings : Array.isArray(issues) ? issues : [];
  const lines = given.flatMap((finding: unknown) => {
    const { path, message } = Object(finding) as { path?: unknown; message?: unknown };
    if (typeof message !== 'string') return [];
    const place = Array.isArray(path) ? path.join('.') : typeof path === 'string' ? path : '';
    // The error itself repeats the first finding, and some findings name their place themselves.
    if (message === error.message) return [];
    return [cleanText(message.includes(place) ? message : `${place}: ${message}`, false)];
  });
  const unlisted = lines.length - shownFindings;
  if (unlisted <= 0) return lines;
  return [...lines.slice(0, shownFindings), `and ${unlisted} more.`];
}
