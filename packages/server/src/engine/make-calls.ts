/**
 * The calls of one answer of the model, in their order. A call that a policy refuses is not made, and the rest is
 * given up with it. A tool that was never offered is the model's mistake: the call counts as one that nobody expected,
 * the model is told, no server is blamed, and the turn goes on.
 */
import { refuseByPolicy } from '@proofmark/domain';
import type { ModelMessage, ModelToolCall, ToolResultPart } from '../model/model-gateway.ts';
import { callServer } from './call-server.ts';
import { useSkills } from './skill-box.ts';
import type { OfferedTool } from './toolbox.ts';
import type { TrialContext } from './trial-context.ts';

/** Answers with the reason where a call was refused. */
export async function makeCalls(
  context: TrialContext,
  calls: readonly ModelToolCall[],
  place: { readonly promptIndex: number; readonly parentId: string },
): Promise<string | undefined> {
  const asked: ToolResultPart[] = [];
  const named: ToolResultPart[] = [];
  let isRenamed = false;
  let refused: string | undefined;
  for (const call of calls) {
    const { toolCallId, toolName } = call;
    const offered = context.toolbox.find(toolName);
    const ownName = offered?.toolName ?? toolName;
    refused = offered?.kind === 'server' ? refusalOf(context, offered) : undefined;
    const output =
      refused === undefined
        ? await answer(context, call, offered, place)
        : refuse(context, ownName, call, place, refused);
    const part = { type: 'tool-result', toolCallId, toolName, output } as const;
    asked.push(part);
    named.push(ownName === toolName ? part : { ...part, toolName: ownName });
    isRenamed ||= ownName !== toolName;
    if (refused !== undefined) break;
  }
  const message: ModelMessage = { role: 'tool', content: asked };
  context.log.addToolResults(message, isRenamed ? { role: 'tool', content: named } : message);
  return refused;
}

export function refusalOf(
  { plan }: TrialContext,
  call: Parameters<typeof refuseByPolicy>[0],
): string | undefined {
  const { requireToolApproval } = plan.client.config;
  return refuseByPolicy(call, { toolPolicy: plan.toolPolicy, requireToolApproval });
}

async function answer(
  context: TrialContext,
  { toolCallId, toolName, input }: ModelToolCall,
  offered: OfferedTool | undefined,
  { promptIndex, parentId }: { readonly promptIndex: number; readonly parentId: string },
): Promise<ToolResultPart['output']> {
  const { log, plan, means } = context;
  if (offered?.kind === 'server') {
    const { serverId } = offered;
    const messageIndex = log.messages.length;
    const called = await callServer(context, {
      serverId,
      toolName: offered.toolName,
      input,
      toolCallId,
      promptIndex,
      parentId,
      messageIndex,
    });
    return called.output;
  }
  log.addCall({ toolName, arguments: input }, promptIndex);
  const span = log.beginSpan(toolName, offered === undefined ? 'error' : 'tool');
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  span.toolCallId = toolCallId;
  span.toolName = toolName;
  const output: ToolResultPart['output'] =
    offered === undefined
      ? { type: 'error-text', value: 'There is no tool of this name.' }
      : useSkills(toolName, input, plan.skills, means.skillTexts);
  if (output.type === 'error-text') span.status = 'error';
  log.endSpan(span);
  return output;
}

function refuse(
  { log }: TrialContext,
  toolName: string,
  { toolCallId, input }: ModelToolCall,
  { promptIndex, parentId }: { readonly promptIndex: number; readonly parentId: string },
  reason: string,
): ToolResultPart['output'] {
  log.addCall({ toolName, arguments: input }, promptIndex);
  const span = log.beginSpan(toolName, 'error');
  span.status = 'error';
  span.parentId = parentId;
  span.promptIndex = promptIndex;
  span.toolCallId = toolCallId;
  span.toolName = toolName;
  log.endSpan(span);
  return { type: 'error-text', value: reason };
}
