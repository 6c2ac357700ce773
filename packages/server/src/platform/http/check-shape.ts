/**
 * Checks a value against its schema. The error message describes the first problem with its path;
 * up to 20 problems are listed.
 */
import { checkValue, invalid, Refused } from '@proofmark/domain';
import type * as z from 'zod';

export function checkShape(schema: z.ZodType, value: unknown, part: string): unknown {
  const checked = checkValue(schema, value);
  if ('value' in checked) return checked.value;
  // Names at most 20 problems, so that the answer's size does not depend on the input's size.
  const issues = checked.problems.slice(0, 20).map(({ path, message }) => ({
    path: shortened(pathOf(part, path)),
    message: shortened(message),
  }));
  const [first] = issues as [(typeof issues)[number]];
  throw new Refused(invalid(first.path, `${first.path}: ${first.message}`, { issues }));
}

function pathOf(part: string, path: readonly (string | number)[]): string {
  return path.reduce<string>(
    (spelled, step) => (typeof step === 'number' ? `${spelled}[${step}]` : `${spelled}.${step}`),
    part,
  );
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
