/**
 * The place of a problem in a case or suite, in the words of the form instead of field names of the
 * API.
 */
import type { ValueProblem } from '@proofmark/domain';
import type { ArgumentPath } from '../../../kit/arguments/argument-values.ts';
import { assertionFieldWords } from './assertion-words.ts';

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
  passThreshold: 'Share that must pass',
  expectedOutput: 'Expected output',
  timeoutMs: 'Time limit in milliseconds',
  minimumAccuracy: 'Percent of all trials that must pass',
  intervalMinutes: 'Every so many minutes',
};

/** The word for one item, by the name of its list. */
const oneOfList: Readonly<Record<string, string>> = {
  steps: 'Step',
  list: 'Check',
  checks: 'Check',
  models: 'Model',
};

/** Containers that are omitted from the place of a problem. */
const unsaid = ['assertion', 'settings', 'checks', 'executionConfig', 'schedule'];

function wordOf(name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}

/**
 * Returns the place in words, for example "Step 2, Tool". Inside arguments the tool's own names are
 * used.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk along a path, where each name depends on those before it.
function placeWords(path: ArgumentPath): string {
  const said: string[] = [];
  let isForeign = false;
  for (const [at, name] of path.entries()) {
    if (typeof name === 'number') {
      const list = String(path[at - 1] ?? '');
      const one = isForeign ? undefined : oneOfList[list];
      said.push(`${one ?? list} ${name + 1}`.trim());
    } else if (isForeign || !unsaid.includes(name)) {
      const isList = typeof path[at + 1] === 'number';
      if (!isList) said.push(isForeign ? name : wordOf(name));
      isForeign ||= name === 'arguments' || name === 'args';
    }
  }
  return said.join(', ');
}

/** Names a missing field by its label. */
export function inLabels(problem: ValueProblem): ValueProblem {
  const name = String(problem.path.at(-1) ?? '');
  const { message } = problem;
  if (!message.startsWith(`${name} is missing`)) return problem;
  return { ...problem, message: `${wordOf(name)}${message.slice(name.length)}` };
}

/** Returns the place and the problem as one sentence. */
export function problemSaid(path: ArgumentPath, message: string): string {
  const label = wordOf(String(path.at(-1) ?? ''));
  const isNamed = message.startsWith(`${label} is missing`);
  const place = placeWords(isNamed ? path.slice(0, -1) : path);
  return place === '' ? message : `${place}: ${message}`;
}
