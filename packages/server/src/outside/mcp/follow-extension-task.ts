/**
 * Follows a task of the extension `io.modelcontextprotocol/tasks`, with which a server of the newer
 * era may answer any call of a tool. The rules are in `task-progress.ts` of the domain.
 */
import {
  answeredTask,
  beginTask,
  type Json,
  lookAtTask,
  resultTypeOf,
  type TaskError,
  type TaskProgress,
  type TaskStep,
  type TaskTrace,
  taskTraceOf,
} from '@proofmark/domain';
import { invalidAnswer, unreachable } from './explain-mcp-error.ts';
import { afterBegin, McpFailure } from './mcp-failure.ts';

export interface ExtensionTaskParts {
  ask(method: string, params: Json): Promise<Json>;
  /** Waits, and throws when the call's time is over. */
  pause(delayMs: number): Promise<void>;
  /** Answers the questions of the task by their keys. */
  answer(questions: Json): Promise<Json>;
  failureOf(error: TaskError): McpFailure;
  /** Whether nobody waits for the task any more, so that the server may stop it. */
  isGivenUp(error: unknown): boolean;
  cancel(taskId: string): void;
  /** Replaces secrets that the server repeats. */
  quote(text: string): string;
  onTask(trace: TaskTrace): void;
}

export async function followExtensionTask(created: Json, parts: ExtensionTaskParts): Promise<Json> {
  let { progress, step } = beginTask(created);
  if (progress === undefined) throw endOf(step, parts);
  const { taskId } = progress;
  const tell = (now: TaskProgress) => {
    progress = now;
    parts.onTask(taskTraceOf(now));
    return now;
  };
  let now = tell(progress);
  try {
    while (step.kind === 'look' || step.kind === 'answer') {
      if (step.kind === 'answer') {
        const { questions } = step;
        const inputResponses = await parts.answer(questions);
        now = tell(answeredTask(now, questions));
        await parts.ask('tasks/update', { taskId, inputResponses });
      }
      await parts.pause(now.pauseMs);
      const seen = await parts.ask('tasks/get', { taskId });
      requireKnown(seen);
      const turn = lookAtTask(now, seen);
      now = tell(turn.progress ?? now);
      step = turn.step;
    }
  } catch (error) {
    if (parts.isGivenUp(error)) {
      parts.cancel(taskId);
      tell({ ...now, cancelled: true });
    }
    throw error instanceof McpFailure ? afterBegin(aboutTask(error)) : error;
  }
  if (step.kind !== 'completed') throw endOf(step, parts);
  requireComplete(step.result);
  return step.result;
}

function endOf(step: TaskStep, { failureOf, quote }: ExtensionTaskParts): McpFailure {
  if (step.kind === 'failed') return afterBegin(failureOf(step.error));
  if (step.kind === 'wrong') return afterBegin(invalidAnswer(quote(step.problem)));
  const message = 'The server cancelled the task of the call.';
  return afterBegin(unreachable('SERVER_ERROR', message));
}

/** The parameters that the server refused are those of Proofmark, not those of the call. */
function aboutTask(failure: McpFailure): McpFailure {
  const { code, message, answered } = failure;
  if (code !== 'VALIDATION_ERROR') return failure;
  const { path: _, ...details } = failure.details;
  const about = { ...details, reason: 'SERVER_ERROR' };
  return new McpFailure('SERVER_UNREACHABLE', message, about, answered);
}

function requireKnown(answer: Json): void {
  if (resultTypeOf(answer) === 'unknown') throw invalidAnswer(unknownResultType);
}

function requireComplete(result: Json): void {
  if (resultTypeOf(result) === 'complete') return;
  throw afterBegin(
    invalidAnswer('The server completed a task with a result that is not complete.'),
  );
}

export const unknownResultType =
  'The server sent a result of a type that the protocol does not define.';
