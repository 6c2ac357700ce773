/** What a visitor may do, and for how long; who answers them keeps to these numbers. */
export const visitBounds = {
  textBytes: 8192,
  clientTurnIdCharacters: 64,
  commentCharacters: 2000,
  turnsOfSession: 50,
  sessionsOfDay: 20,
  /** Without the wait for approvals, and with it. */
  turnMs: 120_000,
  wholeTurnMs: 600_000,
  approvalMs: 300_000,
  /** How often the process that runs a turn says so, and looks for decisions and stops. */
  beatMs: 400,
  /** A turn whose process was silent for so long is interrupted. */
  silentMs: 10_000,
  idleMs: 30 * 60_000,
  /** A browser that was not seen for so long is not known any more. */
  identityMs: 30 * 24 * 60 * 60_000,
  /** Of the output of a tool, as it is shown. */
  toolTextCharacters: 2000,
} as const;

export const visitorTurnStatuses = [
  'running',
  'awaitingApproval',
  'completed',
  'failed',
  'stopped',
  'interrupted',
] as const;
export type VisitorTurnStatus = (typeof visitorTurnStatuses)[number];

export const approvalDecisions = ['approve', 'deny'] as const;
export type ApprovalDecision = (typeof approvalDecisions)[number];

export const visitorMessageRoles = ['user', 'assistant', 'tool'] as const;
export type VisitorMessageRole = (typeof visitorMessageRoles)[number];

export interface VisitorMessage {
  readonly role: VisitorMessageRole;
  readonly text: string;
  readonly toolName?: string;
  readonly createdAt: number;
}
