import type { OutputOf } from '@proofmark/contract';
import type { TextPiece } from '@proofmark/domain';

export type VisitLine = OutputOf<'takeVisitorTurn'>;
export type SessionRead = OutputOf<'getVisitorSession'>;
export type Approval = Omit<
  NonNullable<NonNullable<SessionRead['turn']>['approval']>,
  'callId' | 'toolName' | 'serverName' | 'arguments'
>;

export interface ToolPart {
  readonly kind: 'tool';
  readonly callId: string;
  readonly toolName: string;
  /**
   * Absent for calls of a reloaded conversation. For visitors, the service stores only the name of
   * the tool.
   */
  readonly serverName?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly approval?: Approval & { readonly decision?: 'approve' | 'deny' };
  readonly result?: {
    readonly isError: boolean;
    readonly text: string;
    readonly omitted?: readonly string[] | undefined;
  };
}

export type TurnPart =
  /** A text of the answer. `goesOn` means that the model is still writing it. */
  | { readonly kind: 'text'; readonly text: string; readonly goesOn?: true }
  | { readonly kind: 'note'; readonly text: string }
  | ToolPart;

export type TurnStatus = 'running' | 'completed' | 'failed' | 'stopped' | 'interrupted';

export interface TurnView {
  readonly clientTurnId: string;
  readonly turnId?: string;
  readonly text: string;
  readonly parts: readonly TurnPart[];
  readonly status: TurnStatus;
  readonly problem?: string;
  readonly rating?: number;
  readonly isStopping?: boolean;
  /**
   * Whether Stop works. It is disabled at first, because a double press on Send would otherwise
   * stop the turn.
   */
  readonly mayStop?: boolean;
}

export function newTurn(clientTurnId: string, text: string): TurnView {
  return { clientTurnId, text, parts: [], status: 'running' };
}

export function withLine(turn: TurnView, line: VisitLine): TurnView {
  switch (line.type) {
    case 'turn_start':
      return { ...turn, turnId: line.turnId };
    case 'text':
    case 'note':
      return withPart(turn, { kind: line.type, text: line.text });
    case 'tool_call': {
      const { callId, toolName, serverName } = line;
      return withPart(turn, {
        kind: 'tool',
        callId,
        toolName,
        serverName,
        arguments: line.arguments,
      });
    }
    case 'approval_required': {
      const { approvalId, argumentsHash, expiresAt } = line;
      return inCall(turn, line.callId, { approval: { approvalId, argumentsHash, expiresAt } });
    }
    case 'tool_result': {
      const { isError, text, omitted } = line;
      return inCall(turn, line.callId, { result: { isError, text, omitted } });
    }
    case 'turn_finish':
      return { ...turn, status: turn.isStopping ? 'stopped' : 'completed' };
    case 'error':
      return { ...turn, status: 'failed', problem: line.message };
  }
}

/**
 * Stores the visitor's decision about a call. If `decision` is undefined, the call waits for a
 * decision.
 */
export function withDecision(
  turn: TurnView,
  { approval, callId }: ToolPart,
  decision: 'approve' | 'deny' | undefined,
): TurnView {
  if (approval === undefined) return turn;
  const { approvalId, argumentsHash, expiresAt } = approval;
  const asked = { approvalId, argumentsHash, expiresAt };
  return inCall(turn, callId, { approval: { ...asked, ...(decision && { decision }) } });
}

export function openCall({ parts, status }: TurnView): ToolPart | undefined {
  if (status !== 'running') return undefined;
  return parts.find(
    (part): part is ToolPart =>
      part.kind === 'tool' &&
      part.approval !== undefined &&
      part.approval.decision === undefined &&
      part.result === undefined,
  );
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one pass over the messages, in which each continues the turn before it or begins one.
export function turnsOf({ sessionId, messages, turn, turns: all }: SessionRead): TurnView[] {
  const turns: TurnView[] = [];
  for (const message of messages) {
    const { role, text, toolName = '', turnId } = message;
    const last = turns.at(-1);
    if (role === 'user' || last === undefined) {
      const id = `${sessionId}-${turns.length}`;
      const begun = newTurn(id, role === 'user' ? text : '');
      const matchingTurn = all.find((one) => one.turnId === turnId);
      turns.push({
        ...begun,
        status: 'completed',
        turnId,
        ...(matchingTurn && turnFields(matchingTurn)),
      });
      if (role === 'user') continue;
    }
    const open = turns.at(-1) as TurnView;
    const part: TurnPart =
      role === 'tool'
        ? { kind: 'tool', callId: `call_${open.parts.length}`, toolName }
        : { kind: 'text', text };
    turns[turns.length - 1] = withPart(open, part);
  }
  const last = turns.pop();
  if (last !== undefined) turns.push(turn === undefined ? last : withTurn(last, turn));
  return turns;
}

function turnFields({ turnId, clientTurnId, status, error }: SessionRead['turns'][number]) {
  return {
    turnId,
    clientTurnId,
    status: status === 'awaitingApproval' ? ('running' as const) : status,
    ...(error && { problem: error.message }),
  };
}

function withTurn(view: TurnView, turn: NonNullable<SessionRead['turn']>): TurnView {
  const { approval } = turn;
  const updated: TurnView = { ...view, ...turnFields(turn) };
  if (approval === undefined) return updated;
  const { approvalId, argumentsHash, expiresAt, ...call } = approval;
  const asked = { approvalId, argumentsHash, expiresAt };
  return withPart(updated, { kind: 'tool', ...call, approval: asked });
}

/** Adds a piece of streamed text. When the complete text arrives, it replaces all pieces. */
export function withPiece(turn: TurnView, { at, text }: TextPiece): TurnView {
  const last = turn.parts.at(-1);
  const before = last?.kind === 'text' && last.goesOn ? last.text : '';
  return withPart(turn, { kind: 'text', text: before.slice(0, at) + text, goesOn: true });
}

function withPart(turn: TurnView, part: TurnPart): TurnView {
  const isWhole = (one: TurnPart) => one.kind !== 'text' || !one.goesOn;
  return { ...turn, parts: [...turn.parts.filter(isWhole), part] };
}

function inCall(turn: TurnView, callId: string, change: Partial<ToolPart>): TurnView {
  const parts = turn.parts.map((part) =>
    part.kind === 'tool' && part.callId === callId ? { ...part, ...change } : part,
  );
  return { ...turn, parts };
}
