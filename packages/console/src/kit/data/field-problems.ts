/**
 * Assigns an error's messages to form fields. The service names the first invalid field in
 * `details.path` and all invalid fields in `details.issues`. A form shows each problem at its field
 * and the rest above the button.
 */
import { ApiError } from '@proofmark/client';

export type FieldProblems = Readonly<Record<string, string>>;

export function fieldProblems(error: unknown): FieldProblems {
  if (!(error instanceof ApiError) || error.code !== 'VALIDATION_ERROR') return {};
  const { path, issues } = error.details;
  const problems: Record<string, string> = {};
  for (const issue of Array.isArray(issues) ? issues : []) {
    const { path: issuePath, message } = Object(issue) as { path?: unknown; message?: unknown };
    const field = fieldName(issuePath);
    if (field !== '' && typeof message === 'string') problems[field] ??= message;
  }
  const field = fieldName(path);
  if (field !== '') problems[field] ??= error.message;
  return problems;
}

/**
 * Returns the message for the whole form. Undefined if the form's fields show all problems of the
 * error.
 */
export function formProblem(error: unknown, fields: readonly string[]): string | undefined {
  if (error === null || error === undefined) return undefined;
  const problems = Object.keys(fieldProblems(error));
  const shown = (name: string) => fields.some((field) => isFieldOrInside(name, field));
  if (problems.length > 0 && problems.every(shown)) return undefined;
  return error instanceof Error ? error.message : 'Something went wrong. Try again.';
}

/** Returns the problem at a field or inside it: `headers.Authorization` is inside `headers`. */
export function problemInside(problems: FieldProblems, field: string): string | undefined {
  return Object.entries(problems).find(([name]) => isFieldOrInside(name, field))?.[1];
}

function isFieldOrInside(name: string, field: string): boolean {
  return name === field || name.startsWith(`${field}.`);
}

function fieldName(path: unknown): string {
  const text = Array.isArray(path) ? path.join('.') : typeof path === 'string' ? path : '';
  return text
    .replace(/^body(?=\.|$)/, '')
    .replace(/^\./, '')
    .replace(/\[(\d+)\]/g, '.$1');
}
