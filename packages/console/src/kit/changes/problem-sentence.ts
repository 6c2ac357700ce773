/**
 * Returns the message for a form that was not saved: the first problem without a field, or else the
 * number of invalid fields.
 */

import type { FieldProblems } from '../data/field-problems.ts';
import { jsonProblemName } from './json-draft.ts';

export function problemSentence(problems: FieldProblems, shown: readonly string[]): string {
  const all = Object.entries(problems);
  const isShown = (name: string) =>
    shown.some((field) => name === field || name.startsWith(`${field}.`));
  const hidden = all.find(([name]) => !isShown(name));
  if (hidden !== undefined) {
    const [name, message] = hidden;
    return [jsonProblemName, 'name'].includes(name) ? message : `In the JSON, ${name}: ${message}`;
  }
  return `Not saved: ${all.length === 1 ? '1 field is' : `${all.length} fields are`} not right yet.`;
}
