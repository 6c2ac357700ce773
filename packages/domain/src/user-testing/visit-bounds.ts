/** The limits of a visit, for visitors and for the service. */
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
  /** The interval at which a turn's process sends its beat and checks for decisions and stops. */
  beatMs: 400,
  /** A turn is interrupted after its process was silent this long. */
  silentMs: 10_000,
  idleMs: 30 * 60_000,
  /** A browser is forgotten after this time without a visit. */
  identityMs: 30 * 24 * 60 * 60_000,
  /** The displayed length of a tool's output. */
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
