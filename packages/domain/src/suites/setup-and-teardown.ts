/**
 * Calls around a trial: `before` calls prepare the servers, `after` calls clean up. Both a case and
 * a suite may have them. The order is: suite, case, then the steps, then case, suite. These calls
 * are not graded.
 */
import * as z from 'zod';
import { ToolCallStep } from './step.ts';

export const maxSetupCalls = 20;
const defaultAroundMs = 30_000;

const SetupCalls = z
  .array(ToolCallStep)
  .max(maxSetupCalls, `The lists before and after may each have at most ${maxSetupCalls} calls.`)
  .superRefine((calls, context) => {
    const seen = new Set<string>();
    for (const [index, { id, timeoutMs }] of calls.entries()) {
      if (timeoutMs !== undefined) {
        const message =
          'A call in before or after cannot have its own time limit; set beforeTimeoutMs or afterTimeoutMs.';
        context.addIssue({ code: 'custom', path: [index, 'timeoutMs'], message });
      }
      if (seen.has(id)) {
        const message = `The step id ${JSON.stringify(id)} is used twice in this list.`;
        context.addIssue({ code: 'custom', path: [index, 'id'], message });
      }
      seen.add(id);
    }
  })
  .meta({
    id: 'EvalAroundCalls',
    description:
      'Calls before or after the steps of every trial, in the sessions of that trial. They are never graded. If a call of before fails, the trial ends as setup_failed. The calls of after always run; if one fails, the trial has a warning.',
  });

const AroundTimeout = z
  .int()
  .min(1)
  .max(120_000)
  .meta({
    id: 'EvalAroundTimeout',
    description: `Milliseconds for the whole list (default: ${defaultAroundMs.toLocaleString('en-US')}).`,
  });

export const setupFields = {
  before: SetupCalls.optional(),
  beforeTimeoutMs: AroundTimeout.optional(),
  after: SetupCalls.optional(),
  afterTimeoutMs: AroundTimeout.optional(),
};

export type StatedSetup = {
  readonly [Name in keyof typeof setupFields]?: z.infer<(typeof setupFields)[Name]>;
};

export interface PlannedCalls {
  readonly calls: readonly ToolCallStep[];
  readonly timeoutMs: number;
}

export interface PlannedSetup {
  readonly before?: PlannedCalls;
  readonly after?: PlannedCalls;
}

export type SetupPart = 'before' | 'after';

/** Leaves out empty lists. */
export function planSetup(stated: StatedSetup): PlannedSetup {
  const { before = [], beforeTimeoutMs, after = [], afterTimeoutMs } = stated;
  const list = (calls: readonly ToolCallStep[], timeoutMs = defaultAroundMs) => ({
    calls,
    timeoutMs,
  });
  return {
    ...(before.length > 0 && { before: list(before, beforeTimeoutMs) }),
    ...(after.length > 0 && { after: list(after, afterTimeoutMs) }),
  };
}

export function statedSetup(from: StatedSetup): StatedSetup {
  const { before, beforeTimeoutMs, after, afterTimeoutMs } = from;
  return {
    ...(before !== undefined && { before }),
    ...(beforeTimeoutMs !== undefined && { beforeTimeoutMs }),
    ...(after !== undefined && { after }),
    ...(afterTimeoutMs !== undefined && { afterTimeoutMs }),
  };
}

export interface SetupList extends PlannedCalls {
  readonly of: 'suite' | 'case';
}

export function setupLists(
  part: SetupPart,
  plan: PlannedSetup,
  planned: PlannedSetup,
): SetupList[] {
  const ofSuite = plan[part] && [{ of: 'suite' as const, ...plan[part] }];
  const ofCase = planned[part] && [{ of: 'case' as const, ...planned[part] }];
  const lists = [ofSuite ?? [], ofCase ?? []];
  return (part === 'before' ? lists : lists.reverse()).flat();
}
