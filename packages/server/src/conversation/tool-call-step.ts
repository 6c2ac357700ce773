/**
 * A call that the case itself makes, without a model. It is not matched against expected calls, but
 * assertions include it. A failed call fails the step and stops the trial, unless the case allows
 * failing tools or one of its assertions evaluates the errors of this tool. A tool that clients
 * must hide always fails the step.
 */
import { isStatedFor, type Step, statedFailures } from '@proofmark/domain';
import { callServer } from './call-server.ts';
import { policyRefusalOf } from './policy-refusal.ts';
import { showWidgetOf } from './show-widget-of.ts';
import { ok, type StepOutcome } from './step-outcome.ts';
import type { TrialContext } from './trial-context.ts';
import { withoutBlobs } from './without-blobs.ts';

type PinnedStep = Extract<Step, { kind: 'toolCall' }>;

export async function toolCallStep(
  context: TrialContext,
  step: PinnedStep,
  position: { readonly promptIndex: number; readonly parentId: string },
): Promise<StepOutcome> {
  const { log, planned, rows } = context;
  const { toolName } = step;
  const server = serverOf(step, context.opened.servers);
  if (server === undefined)
    throw new Error('Internal fault: the called server has no open session.');
  const named = { serverId: server.id, serverName: server.name, toolName };
  const refused = policyRefusalOf(context, named);
  if (refused !== undefined) {
    const kept = { toolName, serverName: server.name, serverId: server.id };
    const call = { ...kept, arguments: step.arguments, notMade: 'refused' } as const;
    log.addCall(call, position.promptIndex);
    return { kind: 'blocked', reason: refused };
  }
  const toolCallId = `pinned-${step.id}`;
  const call = {
    serverId: server.id,
    toolName,
    input: step.arguments,
    toolCallId,
    promptIndex: position.promptIndex,
    parentId: position.parentId,
    messageIndex: log.messages.length + 1,
  };
  const { output, failure, isExcluded } = await callServer(context, call);
  log.addPinnedCall({ toolName, arguments: step.arguments }, toolCallId, withoutBlobs(output));
  await showWidgetOf(context, call, { output }, step.renderTimeoutMs);
  if (failure === undefined) return ok;
  if (log.lateAnswer !== undefined) return { kind: 'failed', reason: log.lateAnswer };
  const { promptIndex } = position;
  const spanId = log.spanIdOf(step);
  if (spanId !== undefined) log.pinnedErrors.add(spanId);
  const isStated = statedFailures(rows).some(
    (one) =>
      isStatedFor({ toolName, serverName: server.name }, one) &&
      (one.promptIndex === undefined || one.promptIndex === promptIndex),
  );
  return isExcluded || (planned.failOnToolError && !isStated)
    ? { kind: 'failed', reason: failure }
    : { kind: 'ok', note: failure };
}

/** Finds the server of a step. If the step has a server id, the server name is ignored. */
export function serverOf<Server extends { readonly id: string; readonly name: string }>(
  { serverId, serverName }: { readonly serverId?: string | undefined; readonly serverName: string },
  servers: readonly Server[],
): Server | undefined {
  return serverId === undefined
    ? servers.find(({ name }) => name === serverName)
    : servers.find(({ id }) => id === serverId);
}
