import { isRecord, type Json } from '@proofmark/domain';
import { invalidAnswer, unreachable } from './explain-mcp-error.ts';

export interface TaskDependencies {
  ask(method: string, params: Json): Promise<Json>;
  /** Waits, and throws when the call's time is over. */
  pause(delayMs: number): Promise<void>;
}

/**
 * Returns the task in the answer to a call. Returns undefined if the answer is the result itself.
 */
export function taskOf(result: Json): Json | undefined {
  const { task } = result;
  return isRecord(task) ? task : undefined;
}

export async function followTask(created: Json, { ask, pause }: TaskDependencies): Promise<Json> {
  const taskId = idOf(created);
  let task = created;
  while (task['status'] === 'working') {
    await pause(pauseAfter(task));
    task = await ask('tasks/get', { taskId });
  }
  const { status } = task;
  if (status === 'cancelled') {
    throw unreachable('SERVER_ERROR', 'The server cancelled the task of the call.');
  }
  // In the state `input_required`, the server sends its questions in response to `tasks/result`.
  if (status === 'completed' || status === 'failed' || status === 'input_required') {
    return ask('tasks/result', { taskId });
  }
  throw invalidAnswer('The server sent a task in an unknown state.');
}

export function idOf({ taskId }: Json): string {
  if (typeof taskId !== 'string' || taskId === '') {
    throw invalidAnswer('The server sent a task without an id.');
  }
  return taskId;
}

function pauseAfter({ pollInterval }: Json): number {
  const asked = typeof pollInterval === 'number' ? pollInterval : usualPauseMs;
  return Math.min(Math.max(asked, shortestPauseMs), longestPauseMs);
}

const usualPauseMs = 500;
const shortestPauseMs = 50;
const longestPauseMs = 5_000;
