/** A conversation with the agent. It exists only in this page and is not stored. */
import type { OutputOf } from '@proofmark/contract';
import { type AgentMessage, agentBounds, utf8Bytes } from '@proofmark/domain';

export type AgentAnswer = OutputOf<'runAgentTurn'>;
export type CreatedResource = AgentAnswer['createdResources'][number];

export interface AskedTurn {
  readonly question: string;
  readonly answer: AgentAnswer;
}

/** Returns the newest messages that fit into the size limit of one turn. */
export function messagesFor(turns: readonly AskedTurn[], question: string): AgentMessage[] {
  const all: AgentMessage[] = turns.flatMap((turn) => [
    { role: 'user' as const, content: turn.question },
    { role: 'assistant' as const, content: turn.answer.reply },
  ]);
  const kept: AgentMessage[] = [{ role: 'user', content: question }];
  let bytes = utf8Bytes(question);
  for (const message of all.reverse()) {
    const size = utf8Bytes(message.content);
    bytes += size;
    const fits = bytes <= agentBounds.allContentBytes && kept.length < agentBounds.messages;
    if (!fits || size === 0 || size > agentBounds.contentBytes) break;
    kept.unshift(message);
  }
  return kept;
}

/** Returns the resources that a failed turn had already created. */
export function createdBefore(details: Readonly<Record<string, unknown>>): CreatedResource[] {
  const { createdResources } = details;
  return Array.isArray(createdResources) ? (createdResources as CreatedResource[]) : [];
}
