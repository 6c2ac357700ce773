/**
 * The progress of one task of the extension `io.modelcontextprotocol/tasks`, and the client's next
 * step after each look at it.
 *
 * - `working` and `input_required` may follow each other. The other states are final: no other
 *   state may follow.
 * - The result and the error of a task are only in the answer to `tasks/get`, so a task is looked at
 *   once even if the first answer has a final state.
 * - Each question of a task has a key, and is answered once.
 */
import { isRecord, type Json } from '../kernel/json.ts';

export const taskExtension = 'io.modelcontextprotocol/tasks';

export const taskStates = [
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
] as const;
export type TaskState = (typeof taskStates)[number];

/** What a trace and a recording store of a task. */
export interface TaskTrace {
  /** The states in order, each once until another follows. */
  readonly states: readonly TaskState[];
  /** How often the task was looked at. */
  readonly polls: number;
  /** How often input was sent to the task. */
  readonly updates: number;
  /** Whether the client asked the server to cancel the task. */
  readonly cancelled: boolean;
}

export interface TaskProgress extends TaskTrace {
  readonly taskId: string;
  readonly pauseMs: number;
  readonly answeredKeys: readonly string[];
}

export type TaskStep =
  /** Look at the task, not before the pause has passed. */
  | { readonly kind: 'look' }
  | { readonly kind: 'answer'; readonly questions: Json }
  | { readonly kind: 'completed'; readonly result: Json }
  | { readonly kind: 'failed'; readonly error: TaskError }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'wrong'; readonly problem: string };

export interface TaskError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface TaskTurn {
  /** Undefined if the first answer has no usable id, so that there is no task to follow. */
  readonly progress: TaskProgress | undefined;
  readonly step: TaskStep;
}

/** Reads the answer that creates a task. */
export function beginTask(created: Json): TaskTurn {
  const { taskId, status, pollIntervalMs } = created;
  if (typeof taskId !== 'string' || taskId === '') {
    return { progress: undefined, step: wrong('a task without an id') };
  }
  const state = stateOf(status);
  const progress: TaskProgress = {
    taskId,
    states: state === undefined ? [] : [state],
    polls: 0,
    updates: 0,
    cancelled: false,
    pauseMs: pauseOf(pollIntervalMs, usualPauseMs),
    answeredKeys: [],
  };
  return { progress, step: state === undefined ? unknownState(status) : { kind: 'look' } };
}

/** Reads the answer to a look at the task. */
export function lookAtTask(before: TaskProgress, seen: Json): TaskTurn {
  const { taskId, status, pollIntervalMs } = seen;
  const looked = { ...before, polls: before.polls + 1 };
  if (taskId !== before.taskId) {
    return { progress: looked, step: wrong('the state of another task than the one asked for') };
  }
  const state = stateOf(status);
  if (state === undefined) return { progress: looked, step: unknownState(status) };
  const last = before.states.at(-1);
  const progress: TaskProgress = {
    ...looked,
    states: last === state ? before.states : withState(before.states, state),
    pauseMs: pauseOf(pollIntervalMs, before.pauseMs),
  };
  if (last !== undefined && last !== state && finalStates.includes(last)) {
    const step = wrong(`a task in the state ${state} after the final state ${last}`);
    return { progress, step };
  }
  return { progress, step: stepIn(state, progress, seen) };
}

/** If there are too many states, the first ones and the newest are kept. */
function withState(states: readonly TaskState[], state: TaskState): readonly TaskState[] {
  return [...states.slice(0, mostStates - 1), state];
}

/** Notes that these questions were answered. */
export function answeredTask(before: TaskProgress, questions: Json): TaskProgress {
  const answeredKeys = [...before.answeredKeys, ...Object.keys(questions)];
  return { ...before, answeredKeys, updates: before.updates + 1 };
}

export function taskTraceOf({ states, polls, updates, cancelled }: TaskTrace): TaskTrace {
  return { states, polls, updates, cancelled };
}

function stepIn(state: TaskState, { answeredKeys }: TaskProgress, seen: Json): TaskStep {
  const { result, error, inputRequests } = seen;
  if (state === 'cancelled') return { kind: 'cancelled' };
  if (state === 'completed') {
    return isRecord(result)
      ? { kind: 'completed', result }
      : wrong('a completed task without a result');
  }
  if (state === 'failed') {
    return isTaskError(error) ? { kind: 'failed', error } : wrong('a failed task without an error');
  }
  if (state === 'working' || !isRecord(inputRequests)) return { kind: 'look' };
  const open = Object.entries(inputRequests).filter(([key]) => !answeredKeys.includes(key));
  if (open.length === 0) return { kind: 'look' };
  if (open.length + answeredKeys.length > mostQuestions) {
    return wrong(`a task with more than ${mostQuestions} questions`);
  }
  return { kind: 'answer', questions: Object.fromEntries(open) };
}

function stateOf(status: unknown): TaskState | undefined {
  return taskStates.find((one) => one === status);
}

function unknownState(status: unknown): TaskStep {
  const shown = typeof status === 'string' ? JSON.stringify(status.slice(0, 100)) : 'no text';
  return wrong(`a task whose state the protocol does not define (${shown})`);
}

function wrong(what: string): TaskStep {
  return { kind: 'wrong', problem: `The server sent ${what}.` };
}

/**
 * Returns the pause before the next look. The server's interval is never shortened. An answer
 * without one keeps the interval of the answer before.
 */
function pauseOf(stated: unknown, before: number): number {
  if (typeof stated !== 'number' || !Number.isFinite(stated)) return before;
  return Math.max(shortestPauseMs, Math.ceil(stated));
}

function isTaskError(error: unknown): error is TaskError & Json {
  if (!isRecord(error)) return false;
  return Number.isInteger(error['code']) && typeof error['message'] === 'string';
}

const finalStates: readonly TaskState[] = ['completed', 'failed', 'cancelled'];
const usualPauseMs = 500;
const shortestPauseMs = 50;
const mostQuestions = 100;
const mostStates = 50;
