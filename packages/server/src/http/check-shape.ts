/** Holds a value against its schema. The first problem names the path; the first twenty are listed. */
import { invalid, Refused } from '@proofmark/domain';
import type * as z from 'zod';

export function checkShape(schema: z.ZodType, value: unknown, part: string): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  // What is told about bad input must not grow with it.
  const issues = parsed.error.issues.slice(0, 20).map((issue) => ({
    path: shortened(pathOf(part, issue)),
    message: shortened(issue.message),
  }));
  const [first] = issues as [(typeof issues)[number]];
  throw new Refused(invalid(first.path, `${first.path}: ${first.message}`, { issues }));
}

function pathOf(part: string, issue: z.core.$ZodIssue): string {
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  return [...issue.path, ...unknown].reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${step}]` : `${path}.${String(step)}`),
    part,
  );
}

function shortened(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
