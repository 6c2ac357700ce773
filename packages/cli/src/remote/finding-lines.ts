import { ApiError } from '@proofmark/client';
import { cleanText } from '@proofmark/domain';
import { wrapped } from './wrap-line.ts';

const shownFindings = 20;

/**
 * Returns the number of mistakes in the service's error, and the mistakes as wrapped lines. Other
 * errors have no mistakes.
 */
export function findingLines(error: unknown, width: number): { amount: number; lines: string[] } {
  const given = error instanceof ApiError ? error.details['findings'] : undefined;
  return linesOf(Array.isArray(given) ? given : [], width);
}

export function linesOf(
  findings: readonly unknown[],
  width: number,
): { amount: number; lines: string[] } {
  const messages = findings.flatMap((finding) => {
    const { message } = Object(finding) as { message?: unknown };
    return typeof message === 'string' ? [cleanText(message, false)] : [];
  });
  const positioned = messages.map((message) => ({ message, position: positionOf(message) }));
  positioned.sort(
    (one, other) =>
      one.position.line - other.position.line || one.position.column - other.position.column,
  );
  const lines = positioned
    .slice(0, shownFindings)
    .flatMap(({ message }) => wrapped(message, width));
  const unlisted = messages.length - shownFindings;
  if (unlisted > 0) lines.push(`and ${unlisted} more.`);
  return { amount: messages.length, lines };
}

/** A mistake about the whole file has no position. Line 0 sorts it first. */
function positionOf(message: string): { line: number; column: number } {
  const [, line = '0', column = '0'] = /^Line (\d+), column (\d+): /.exec(message) ?? [];
  return { line: Number(line), column: Number(column) };
}
