import { assertionFieldWords, type ValueProblem } from '@proofmark/domain';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';

const words: Readonly<Record<string, string>> = {
  ...assertionFieldWords,
  type: 'Kind',
  title: 'Title',
  steps: 'Steps',
  prompt: 'Prompt',
  arguments: 'Arguments',
  promptName: 'Name of the prompt',
  uri: 'Address of the resource (URI)',
  id: 'Id',
  name: 'Name',
  description: 'Description',
  model: 'Model',
  iterations: 'Trials in each run',
  passThreshold: 'Passing score',
  expectedOutput: 'Expected output',
  timeoutMs: 'Time limit in milliseconds',
  minimumAccuracy: 'Passing score of the whole run',
  intervalMinutes: 'Interval in minutes',
  time: 'Time of day',
  weekdays: 'Days',
  expression: 'Cron expression',
  timeZone: 'Time zone',
};

const oneOfList: Readonly<Record<string, string>> = {
  steps: 'Step',
  list: 'Check',
  checks: 'Check',
  models: 'Model',
};

/**
 * Names that are omitted when a problem's place is shown, because the form has no label for them.
 */
const omittedNames = [
  ...['assertion', 'settings', 'checks', 'executionConfig', 'schedule', 'calendar'],
];

function wordOf(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}

/**
 * Returns the place of a problem, such as "Step 2, Tool". Names inside arguments come from the tool
 * and are shown unchanged.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk along a path, where each name depends on those before it.
function placeWords(path: ArgumentPath): string {
  const parts: string[] = [];
  let isForeign = false;
  for (const [at, name] of path.entries()) {
    if (typeof name === 'number') {
      const list = String(path[at - 1] ?? '');
      const one = isForeign ? undefined : oneOfList[list];
      parts.push(`${one ?? list} ${name + 1}`.trim());
    } else if (isForeign || !omittedNames.includes(name)) {
      const isList = typeof path[at + 1] === 'number';
      if (!isList) parts.push(isForeign ? name : wordOf(name));
      isForeign ||= name === 'arguments' || name === 'args';
    }
  }
  return parts.join(', ');
}

export function inLabels(problem: ValueProblem): ValueProblem {
  const name = String(problem.path.at(-1) ?? '');
  const { message } = problem;
  if (!message.startsWith(`${name} is missing`)) return problem;
  return { ...problem, message: `${wordOf(name)}${message.slice(name.length)}` };
}

export function problemText(path: ArgumentPath, message: string): string {
  const label = wordOf(String(path.at(-1) ?? ''));
  const isNamed = message.startsWith(`${label} is missing`);
  const place = placeWords(isNamed ? path.slice(0, -1) : path);
  return place === '' ? message : `${place}: ${message}`;
}
