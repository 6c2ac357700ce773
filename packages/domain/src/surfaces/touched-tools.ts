/**
 * The relation of a failing trial to a tool: the trial called it, missed it, or called it instead
 * of another tool. A call that names its server is related only to that server's tool.
 */
import type { Json } from '../kernel/json.ts';

export interface FailingTrial {
  readonly id: string;
  readonly expectedToolCalls: readonly Json[];
  readonly actualToolCalls: readonly Json[];
}

export interface ToolOfServer {
  readonly serverName: string | null;
  readonly toolName: string;
}

export type ToolTouch = 'called' | 'missed';

export function touchOf(trial: FailingTrial, tool: ToolOfServer): ToolTouch | undefined {
  if (trial.actualToolCalls.some((call) => isOf(call, tool))) return 'called';
  return trial.expectedToolCalls.some((call) => isOf(call, tool)) ? 'missed' : undefined;
}

export function isConfused(trial: FailingTrial, one: ToolOfServer, other: ToolOfServer): boolean {
  const touches = [touchOf(trial, one), touchOf(trial, other)];
  return touches.includes('missed') && touches.includes('called');
}

/**
 * Returns the trials related to a tool, in their order. If a second tool is given, trials that
 * confused the two come first.
 */
export function trialsTouching(
  trials: readonly FailingTrial[],
  tool: ToolOfServer,
  other?: ToolOfServer,
): string[] {
  const touching = trials.filter(
    (trial) =>
      touchOf(trial, tool) !== undefined ||
      (other !== undefined && touchOf(trial, other) !== undefined),
  );
  if (other === undefined) return touching.map(({ id }) => id);
  const isFirst = (trial: FailingTrial) => isConfused(trial, tool, other);
  return [...touching.filter(isFirst), ...touching.filter((one) => !isFirst(one))].map(
    ({ id }) => id,
  );
}

function isOf(call: Json, { serverName, toolName }: ToolOfServer): boolean {
  if (call['toolName'] !== toolName) return false;
  const calledServer = call['serverName'];
  return typeof calledServer !== 'string' || serverName === null || calledServer === serverName;
}
