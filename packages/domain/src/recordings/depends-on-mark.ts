/**
 * Whether the outcome of an assertion depends on what was taken out. What stood there is not known, so it is asked again
 * with other things in its place: nothing, a word that says nothing, and all that the assertion itself names. Where one
 * of them changes the outcome, nobody can answer it. A pattern or a schema that is not met may have been met by anything.
 */
import { isRecord } from '../kernel/json.ts';
import { markText } from './marks.ts';

export function dependsOnMark(
  assertion: unknown,
  said: unknown,
  passes: (said: unknown) => boolean,
): boolean {
  if (!holdsMarkText(said)) return false;
  const outcome = passes(said);
  if (!outcome && namesForm(assertion)) return true;
  const others = [...new Set(['', 'something else', ...leavesOf(assertion)])].slice(0, mostTried);
  return others.some((other) => passes(inPlace(said, other)) !== outcome);
}

const mostTried = 50;

function holdsMarkText(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(markText);
  if (Array.isArray(value)) return value.some(holdsMarkText);
  return isRecord(value) && Object.values(value).some(holdsMarkText);
}

function inPlace(value: unknown, other: unknown): unknown {
  if (value === markText) return other;
  if (typeof value === 'string') return value.replaceAll(markText, String(other));
  if (Array.isArray(value)) return value.map((one) => inPlace(one, other));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inPlace(one, other)]));
}

function leavesOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}

function namesForm(assertion: unknown): boolean {
  return isRecord(assertion) && ('pattern' in assertion || 'schema' in assertion);
}
