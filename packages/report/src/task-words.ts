/**
 * One line about the task with which a server answered a call: its states, how often it was looked
 * at, and how often it got input. Undefined if the span has no task that can be read.
 */
import { asRecord, type TaskState, taskStates } from '@proofmark/domain';

export function taskWords(task: unknown): string | undefined {
  const { states, polls, updates, cancelled } = asRecord(task) ?? {};
  const seen = (Array.isArray(states) ? states : []).flatMap(
    (one) => taskStates.find((state) => state === one) ?? [],
  );
  if (seen.length === 0) return undefined;
  const shown = seen.slice(0, mostStates).map((state) => wordsOfStates[state]);
  const parts = [
    `As a task: ${shown.join(', ')}${seen.length > mostStates ? ' …' : ''}`,
    counted(polls, 'looked at'),
    counted(updates, 'input sent'),
    cancelled === true ? 'cancelled by Proofmark' : undefined,
  ];
  return `${parts.filter((part) => part !== undefined).join('; ')}.`;
}

function counted(count: unknown, what: string): string | undefined {
  if (!Number.isSafeInteger(count) || Number(count) <= 0) return undefined;
  return `${what} ${count === 1 ? 'once' : `${Number(count).toLocaleString('en-US')} times`}`;
}

const wordsOfStates: Readonly<Record<TaskState, string>> = {
  working: 'working',
  input_required: 'needs input',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'cancelled by the server',
};

const mostStates = 12;
