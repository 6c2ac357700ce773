/**
 * Which tools a failing trial has to do with: it called them, it was to call them and did not, or it called one in the
 * place of another. A call that says whose tool it was counts for that server alone.
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

/** One was to be called, and only the other was. */
export function isConfused(trial: FailingTrial, one: ToolOfServer, other: ToolOfServer): boolean {
  const touches = [touchOf(trial, one), touchOf(trial, other)];
  return touches.includes('missed') && touches.includes('called');
}

/** In the order of the trials; of two tools, those first that took one for the other. */
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
  const said = call['serverName'];
  return typeof said !== 'string' || serverName === null || said === serverName;
}
