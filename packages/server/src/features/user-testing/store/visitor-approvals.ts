/**
 * Calls that wait for the visitor's approval. A decision applies to one call with these arguments,
 * and is final.
 */
import type { ApprovalDecision } from '@proofmark/domain';
import type { Sql } from '../../../platform/database/database.ts';
import { readDocument } from '../../../platform/database/read-document.ts';
import type { ApprovalState, NewApproval } from '../../turns/index.ts';

/**
 * Stores an approval request and marks the turn as waiting for it. Returns undefined if the turn is
 * not running.
 */
export async function insertApproval(
  sql: Sql,
  approval: NewApproval,
): Promise<{ readonly expiresAt: Date } | undefined> {
  const { count } = await sql`
    update visitor_turns set status = 'awaitingApproval'
    where id = ${approval.turnId} and status = 'running'`;
  if (count === 0) return undefined;
  const [row] = await sql<{ expiresAt: Date }[]>`
    insert into visitor_approvals (id, organization_id, turn_id, call_id, tool_name, server_name, arguments,
      arguments_hash, definition_hash, expires_at)
    values (${approval.id}, ${approval.organizationId}, ${approval.turnId}, ${approval.callId},
      ${approval.toolName}, ${approval.serverName}, ${approval.arguments}, ${approval.argumentsHash},
      ${approval.definitionHash}, clock_timestamp() + ${approval.lifetimeMs} * interval '1 millisecond')
    returning expires_at`;
  return row;
}

/**
 * Stores the decision. Returns `over` if the approval is decided or expired or its turn no longer
 * waits, and `otherArguments` if the visitor saw other arguments. Returns undefined if there is no
 * such approval.
 */
export async function decideApproval(
  sql: Sql,
  turnId: string,
  answer: {
    readonly approvalId: string;
    readonly argumentsHash: string;
    readonly decision: ApprovalDecision;
  },
): Promise<'decided' | 'over' | 'otherArguments' | undefined> {
  const [row] = await sql<{ isOpen: boolean; isSame: boolean }[]>`
    select decision is null and expires_at > clock_timestamp() and turn.status = 'awaitingApproval' as is_open,
      arguments_hash = ${answer.argumentsHash} as is_same
    from visitor_approvals approval join visitor_turns turn on turn.id = approval.turn_id
    where approval.id = ${answer.approvalId} and turn_id = ${turnId} for update of approval`;
  if (row === undefined) return undefined;
  if (!row.isOpen) return 'over';
  if (!row.isSame) return 'otherArguments';
  await sql`
    update visitor_approvals set decision = ${answer.decision}, decided_at = clock_timestamp()
    where id = ${answer.approvalId}`;
  return 'decided';
}

export async function readDecisions(
  sql: Sql,
  approvalIds: readonly string[],
): Promise<ApprovalState[]> {
  return sql<ApprovalState[]>`
    select id, decision, expires_at <= clock_timestamp() as is_expired from visitor_approvals
    where id = any (${[...approvalIds]})`;
}

export interface OpenApproval {
  readonly id: string;
  readonly callId: string;
  readonly toolName: string;
  readonly serverName: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly argumentsHash: string;
  readonly expiresAt: Date;
}

export async function findOpenApproval(
  sql: Sql,
  turnId: string,
): Promise<OpenApproval | undefined> {
  const [row] = await sql<(Omit<OpenApproval, 'arguments'> & { arguments: string })[]>`
    select id, call_id, tool_name, server_name, arguments, arguments_hash, expires_at from visitor_approvals
    where turn_id = ${turnId} and decision is null and expires_at > clock_timestamp()
    order by created_at desc limit 1`;
  return row && { ...row, arguments: readDocument(row.arguments) as OpenApproval['arguments'] };
}
